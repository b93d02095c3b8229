//! Certificates of programs that violate a property, changed so that they say what would prove it.

use braid_ir::{Program, Question};
use braid_proof::check::check;
use braid_proof::{Certificate, Held, Hold, LockName, Mode, ObjectId, Own, Range, Space, State, Value};
use braid_props::Check;

/// Forgeries of one kind, for one certificate.
pub type Forge = fn(&Program, &Certificate) -> Vec<Certificate>;

pub const KINDS: [(&str, Forge); 6] = [
    ("a lock is claimed at an access", lock_at_access),
    ("a lock is claimed at a point", lock_at_point),
    ("a thread is said to be over", thread_is_over),
    ("an object is said to be unknown to others", object_is_own),
    ("an access is left out", access_left_out),
    ("a value is left out", value_left_out),
];

/// Returns the number of forgeries, none of which proves the property.
pub fn try_all(
    (program, question): (&Program, &Question),
    certificate: &Certificate,
    (name, forge): (&str, Forge),
    wrong: Check,
) -> usize {
    let forged = forge(program, certificate);
    for (number, one) in forged.iter().enumerate() {
        if let Ok(verdict) = check(program, question, one) {
            assert!(!verdict.proved.contains(wrong), "{name}, number {number}, proves {wrong}");
        }
    }
    forged.len()
}

/// Applies a change to each state of a certificate, one at a time.
fn each_state(certificate: &Certificate, change: impl Fn(&mut State) -> bool) -> Vec<Certificate> {
    let count = |one: &mut Certificate| states(one).len();
    let mut forged = Vec::new();
    for index in 0..count(&mut certificate.clone()) {
        let mut one = certificate.clone();
        if change(states(&mut one)[index]) {
            forged.push(one);
        }
    }
    forged
}

fn states(certificate: &mut Certificate) -> Vec<&mut State> {
    let mut found = Vec::new();
    for instance in certificate.instances.as_mut_slice() {
        found.push(&mut instance.entry);
        found.extend(instance.blocks.as_mut_slice().iter_mut().flatten());
        found.extend(instance.exit.as_mut().map(|(state, _)| state));
    }
    found
}

/// The static variables that calls use as locks.
fn locks(certificate: &Certificate) -> Vec<ObjectId> {
    let cells = certificate.memory.enumerated();
    let sync = cells.filter(|(_, cells)| cells.iter().any(|cell| cell.space == Space::Sync));
    sync.map(|(object, _)| object).collect()
}

fn lock_at_access(_: &Program, certificate: &Certificate) -> Vec<Certificate> {
    let mut forged = Vec::new();
    // A program without locks is given one: any variable.
    let locks = if locks(certificate).is_empty() { vec![ObjectId(0)] } else { locks(certificate) };
    for (object, cells) in certificate.memory.enumerated() {
        for (cell, index) in
            cells.iter().enumerate().flat_map(|(c, cell)| (0..cell.accesses.len()).map(move |a| (c, a)))
        {
            for held in locks.iter().map(|lock| Held::Place(*lock, 0)).chain([Held::Section]) {
                let mut one = certificate.clone();
                if one.memory[object][cell].accesses[index].held.insert((held, Mode::Exclusive)) {
                    forged.push(one);
                }
            }
        }
    }
    forged
}

fn lock_at_point(_: &Program, certificate: &Certificate) -> Vec<Certificate> {
    let locks = locks(certificate);
    let claims = locks.iter().flat_map(|lock| {
        each_state(certificate, move |state| {
            let name = Some(LockName::Place(*lock, 0));
            let known = state.holds.iter().any(|hold| hold.name == name);
            let targets = vec![(*lock, Range::point(0))];
            state.holds.push(Hold { name, mode: Mode::Exclusive, targets, certain: true });
            state.holds.sort();
            !known
        })
    });
    claims.collect()
}

fn thread_is_over(_: &Program, certificate: &Certificate) -> Vec<Certificate> {
    let mut forged: Vec<Certificate> = Vec::new();
    for thread in certificate.threads.ids() {
        forged.extend(each_state(certificate, |state| state.alive.remove(&thread)));
        forged.extend(each_state(certificate, |state| state.solo.insert(thread)));
        forged.extend(each_state(certificate, |state| state.joinable.insert(thread)));
        let mut one = certificate.clone();
        one.threads[thread].single = true;
        forged.extend((!certificate.threads[thread].single).then_some(one));
        for other in certificate.threads.ids() {
            let mut one = certificate.clone();
            if one.threads[other].overlap.remove(&thread) {
                forged.push(one);
            }
        }
        for (object, cells) in certificate.memory.enumerated() {
            for (cell, index) in
                cells.iter().enumerate().flat_map(|(c, cell)| (0..cell.accesses.len()).map(move |a| (c, a)))
            {
                let mut one = certificate.clone();
                if one.memory[object][cell].accesses[index].alive.remove(&thread) {
                    forged.push(one);
                }
            }
        }
    }
    forged
}

fn object_is_own(program: &Program, certificate: &Certificate) -> Vec<Certificate> {
    let first = braid_proof::eval::first_made(program);
    let own = (0..certificate.objects.len()).filter(|index| certificate.objects[*index].own);
    let mut forged = Vec::new();
    for object in own.map(|index| ObjectId(first + index as u32)) {
        forged.extend(each_state(certificate, |state| {
            let any = Value::number(Range::full(64));
            let contents = Own { data: any.clone(), sync: any };
            state.lost.remove(&object);
            state.own.insert(object, contents).is_none()
        }));
        forged.extend(each_state(certificate, |state| state.lost.remove(&object)));
        forged.extend(each_state(certificate, |state| state.ended.remove(&ObjectId(object.0 + 1))));
    }
    forged
}

fn access_left_out(_: &Program, certificate: &Certificate) -> Vec<Certificate> {
    let mut forged = Vec::new();
    for (object, cells) in certificate.memory.enumerated() {
        for (cell, index) in
            cells.iter().enumerate().flat_map(|(c, cell)| (0..cell.accesses.len()).map(move |a| (c, a)))
        {
            let mut one = certificate.clone();
            one.memory[object][cell].accesses.remove(index);
            forged.push(one);
        }
    }
    forged
}

fn value_left_out(_: &Program, certificate: &Certificate) -> Vec<Certificate> {
    let mut forged = Vec::new();
    for (object, cells) in certificate.memory.enumerated() {
        for cell in 0..cells.len() {
            for value in
                [Value::NONE, Value::null(), Value::number(Range::point(1)), Value::number(Range::point(2))]
            {
                let mut one = certificate.clone();
                if one.memory[object][cell].value != value {
                    one.memory[object][cell].value = value;
                    forged.push(one);
                }
            }
        }
    }
    forged
}
