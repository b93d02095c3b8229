//! Calls, returns and the first frame.

use crate::arena::{Layout, Region};
use crate::env::Environment;
use crate::image::{Image, SetupError};
use crate::machine::{Machine, Step};
use crate::memory::{Invalid, Memory};
use crate::object::{Identity, Kind, Site};
use crate::report::Resource;
use crate::state::{Frame, State, Status, Thread, Threads};
use crate::trace::ThreadPath;
use crate::value::{Prov, Value, fetch};
use braid_base::Idx;
use braid_ir::{Callee, ChoiceKind, FuncId, Operand, RegId};

/// The state before the first step: main is about to enter the program's entry.
pub(crate) fn initial_state(image: &Image) -> Result<State, SetupError> {
    let entry = image.program.entry.ok_or(SetupError::NoEntry)?;
    let mut memory = image.memory.clone();
    let regions =
        Layout::new(image.program.pointer_bytes).thread(0).expect("there is room for the first thread");
    let main = new_thread(image, &mut memory, 0, ThreadPath::main(), entry, regions)?;
    let mut threads = Threads::default();
    threads.push(main);
    Ok(State { threads, current: 0, memory, depends_on_address: None, ready: 1, alone: true, frozen: false })
}

/// A thread about to enter a function, its parameters still zero; with its own instances of the
/// thread-local variables.
pub(crate) fn new_thread(
    image: &Image,
    memory: &mut Memory,
    number: u32,
    path: ThreadPath,
    func: FuncId,
    (mut heap, mut stack): (Region, Region),
) -> Result<Thread, SetupError> {
    let pc = image.functions[func.index()].entry.ok_or(SetupError::NoEntry)?;
    let function = image.function(func);
    let layout = &image.functions[func.index()].layout;
    let too_large = |_| SetupError::TooLarge { object: format!("the frame of '{}'", function.name) };
    let stack_start = stack.next();
    let base = stack.place(layout.size, layout.align).map_err(too_large)?;
    let mut thread_locals = Vec::new();
    for &id in &image.thread_locals {
        let g = &image.program.globals[id];
        let too_large = |_| SetupError::TooLarge { object: format!("'{}'", g.name) };
        let (size, align, read_only) = (g.size, g.align, g.read_only);
        let base = heap.place(size, align).map_err(too_large)?;
        let born = Site { loc: g.loc, ..Site::NOWHERE };
        let identity = Identity { kind: Kind::ThreadLocal(id), base, size, align, read_only, born };
        let object = memory.allocate(identity, true);
        image.initialise_instance(memory, object, id);
        thread_locals.push(object);
    }
    let handle = Identity {
        kind: Kind::Thread(number),
        base: heap.place(1, 16).map_err(too_large)?,
        size: 0,
        align: 16,
        read_only: true,
        born: Site::NOWHERE,
    };
    let handle = memory.allocate(handle, true);
    let atomic = function.atomic;
    let frame = Frame { func, pc, regs: 0, locals: 0, blocks: 0, base, stack_start, dst: None, atomic };
    Ok(Thread {
        number,
        handle,
        path,
        spawned: 0,
        status: Status::Ready,
        detached: false,
        awaited: false,
        void: false,
        section: 0,
        unentered: atomic,
        fresh: true,
        doomed: false,
        paused: false,
        bulk: 0,
        held: Vec::new(),
        frame,
        callers: Vec::new(),
        regs: vec![Value::ZERO; function.regs.len()],
        locals: vec![None; function.locals.len()],
        blocks: Vec::new(),
        thread_locals,
        heap,
        stack,
    })
}

impl Machine<'_> {
    pub(crate) fn call(
        &mut self,
        dst: Option<RegId>,
        callee: Callee,
        args: &[Operand],
        env: &mut dyn Environment,
    ) -> Step {
        let func = match callee {
            Callee::Direct(func) => func,
            Callee::Pointer(pointer) => {
                let func = self.function_at(self.operand(pointer))?;
                // Where threads have destructors to run, a function of the library calls the one they begin in.
                if let Some(marks) = &mut self.marks {
                    marks.start(func);
                }
                func
            }
        };
        let Some(entry) = self.image.functions[func.index()].entry else {
            let name = self.image.function(func).name;
            return Err(self.unsupported(format!("call of '{name}', which has no definition")));
        };
        self.enter(func, entry, dst, args, env)
    }

    /// The function a pointer points to.
    pub(crate) fn function_at(&mut self, pointer: Value) -> Step<FuncId> {
        if !matches!(pointer.prov, Prov::Object(_)) && pointer.bits != 0 {
            self.depend_on_address(self.pc());
        }
        let located = match self.state.memory.locate(pointer, 0, false) {
            Ok(located) => located,
            Err(invalid) => return Err(self.invalid_call(*invalid)),
        };
        let object = self.state.memory.identity_in(located);
        match object.kind {
            Kind::Function(func) if located.offset == 0 => Ok(func),
            _ => Err(self.invalid_call(Invalid::Outside { object, offset: located.offset as i64 })),
        }
    }

    fn enter(
        &mut self,
        func: FuncId,
        entry: u32,
        dst: Option<RegId>,
        args: &[Operand],
        env: &mut dyn Environment,
    ) -> Step {
        let image = self.image;
        let function = image.function(func);
        let layout = &image.functions[func.index()].layout;
        let thread = &mut self.state.threads[self.state.current];
        let depth = thread.callers.len() + 1;
        let stack_start = thread.stack.next();
        let placed = match layout.size {
            0 => Ok(stack_start),
            size => thread.stack.place(size, layout.align),
        };
        let (Ok(base), true) = (placed, depth < self.options.limits.max_depth) else {
            return Err(self.resource(Resource::StackOverflow { function: function.name, depth }));
        };
        let frame = Frame {
            func,
            pc: entry,
            regs: thread.regs.len(),
            locals: thread.locals.len(),
            blocks: thread.blocks.len(),
            base,
            stack_start,
            dst,
            atomic: function.atomic,
        };
        thread.section += u32::from(function.atomic);
        thread.regs.resize(frame.regs + function.regs.len(), Value::ZERO);
        thread.locals.resize(frame.locals + function.locals.len(), None);
        for (index, param) in function.params.iter().enumerate() {
            let ty = function.regs[*param].ty;
            let value = match args.get(index) {
                Some(arg) => {
                    let thread = &self.state.threads[self.state.current];
                    fetch(thread.frame_regs(), &image.consts, *arg).coerced(ty, image.program.pointer_bytes)
                }
                None => Value::plain(self.choose(ChoiceKind::Uninit, ty, env)),
            };
            self.state.threads[self.state.current].regs[frame.regs + param.index()] = value;
        }
        let thread = &mut self.state.threads[self.state.current];
        let caller = std::mem::replace(&mut thread.frame, frame);
        thread.callers.push(caller);
        Ok(())
    }

    /// Ends the running frame and hands the value to the caller.
    pub(crate) fn leave(&mut self, value: Option<Value>, env: &mut dyn Environment) -> Step {
        let lasting = self.is_lasting(&self.state.threads[self.state.current]);
        if !lasting {
            self.end_frame_objects()?;
        }
        let thread = &mut self.state.threads[self.state.current];
        if thread.frame.atomic {
            thread.section = thread.section.saturating_sub(1);
        }
        let Some(caller) = thread.callers.pop() else {
            if thread.number != 0 {
                self.finish(value);
                return Ok(());
            }
            let code = value.map_or(0, |value| value.bits as i32);
            return Err(self.exit(code));
        };
        let frame = std::mem::replace(&mut thread.frame, caller);
        thread.regs.truncate(frame.regs);
        thread.locals.truncate(frame.locals);
        thread.blocks.truncate(frame.blocks);
        if !lasting {
            thread.stack.rewind(frame.stack_start);
        }
        if let Some(dst) = frame.dst {
            let ty = self.image.function(caller.func).regs[dst].ty;
            let thread = &mut self.state.threads[self.state.current];
            let starts = thread.number != 0 && thread.callers.is_empty();
            let value = match value {
                Some(value) => value.coerced(ty, self.image.program.pointer_bytes),
                None if starts && self.image.program.functions[caller.func].internal => {
                    thread.void = true;
                    Value::ZERO
                }
                None => Value::plain(self.choose(ChoiceKind::Uninit, ty, env)),
            };
            self.set(dst, value);
        }
        Ok(())
    }

    /// Whether the thread runs main's outermost frame, whose end is the program's: nobody sees its
    /// objects go.
    pub(crate) fn is_lasting(&self, thread: &Thread) -> bool {
        let main = Some(thread.frame.func) == self.image.program.main;
        main && thread.number == 0 && thread.callers.len() == 1
    }

    fn end_frame_objects(&mut self) -> Step {
        let thread = &self.state.threads[self.state.current];
        let frame = thread.frame;
        if thread.locals.len() == frame.locals && thread.blocks.len() == frame.blocks {
            return Ok(());
        }
        let objects = thread.locals[frame.locals..].iter().flatten().chain(&thread.blocks[frame.blocks..]);
        self.ends_unlocked(objects)?;
        let thread = &self.state.threads[self.state.current];
        let loc = self.image.origin[self.pc() as usize].1;
        let died = Site { func: frame.func, loc };
        let locals = thread.locals[frame.locals..].iter().flatten();
        for &object in locals.chain(&thread.blocks[frame.blocks..]) {
            self.state.memory.kill(object, died);
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use crate::machine::Limits;
    use crate::testing::{TestEnv, main_of, run, run_with};

    #[test]
    fn recursion() {
        let fact = "fn &fact(%0) -> i32 {\nreg %0 i32, %1 i1, %2 i32\nb0:\n%1 = sle i32 %0, 1:i32\nbr %1, b1, b2\n\
                    b1:\nret 1:i32\nb2:\n%2 = sub i32 %0, 1:i32\n%2 = call &fact(%2)\n%2 = mul i32 %2, %0\nret %2\n}";
        assert_eq!(run(&main_of(fact, "%0 i32", "b0:\n%0 = call &fact(10:i32)\nret %0")), "exit 3628800");
    }

    #[test]
    fn pointers_and_tables() {
        let items = "shape s0 = ptr\nshape s1 = array s0 x 2\n\
                     global @table s1 size 16 align 8 = { 0: &one, 8: &two }\n\
                     fn &one() -> i32 {\nb0:\nret 1:i32\n}\nfn &two() -> i32 {\nb0:\nret 2:i32\n}";
        let lines =
            "b0:\n%1 = load ptr @table+8\n%0 = call * %1()\n%2 = call * &one()\n%0 = sub i32 %0, %2\nret %0";
        assert_eq!(run(&main_of(items, "%0 i32, %1 ptr, %2 i32", lines)), "exit 1");
    }

    #[test]
    fn disagreement_is_tolerated() {
        let items = "fn &f(%0, %1) -> i8 {\nreg %0 i8, %1 i32\nb0:\n%0 = add i8 %0, 1:i8\nret %0\n}\n\
                     fn &g() {\nb0:\nret\n}\nfn &h(%0, %1) -> i32 {\nreg %0 i32, %1 i32\nb0:\nret %1\n}";
        let run_lines = |lines: &str| {
            let mut env = TestEnv { uninit: 77, ..TestEnv::default() };
            run_with(&main_of(items, "%0 i32", lines), "all", Limits::default(), &mut env).1
        };
        assert_eq!(run_lines("b0:\n%0 = call &f(511:i32, 0:i32, 5:i64)\nret %0"), "exit 0");
        assert_eq!(run_lines("b0:\n%0 = call &f(254:i32)\nret %0"), "exit 255");
        assert_eq!(run_lines("b0:\n%0 = call &h(1:i32)\nret %0"), "exit 77");
        assert_eq!(run_lines("b0:\n%0 = call &g()\nret %0"), "exit 77");
    }

    #[test]
    fn frame_objects_die_with_the_frame() {
        let items = "shape s0 = i32\nfn &f() -> ptr {\nreg %0 ptr\nlocal l0 \"v\" s0 size 4 align 4\nb0:\nlive l0\n\
                     %0 = local l0\nstore i32 %0, 5:i32\nret %0 @ 0:3:3\n}\n\
                     fn &g() -> ptr {\nreg %0 ptr\nb0:\n%0 = alloc stack 8:i64, 8:i64 @ 0:6:6\nret %0 @ 0:7:3\n}";
        let call = |name: &str| {
            let lines = format!("b0:\n%1 = call &{name}()\n%0 = load i32 %1 @ 0:9:9\nret %0");
            run(&main_of(items, "%0 i32, %1 ptr", &lines))
        };
        assert!(
            call("f")
                .contains("use-after-free: read of 4 bytes at offset 0 of 'v' (4 bytes), whose life ended")
        );
        assert!(
            call("g").contains("a stack block of 8 bytes allocated at t.c:6:6, whose life ended at t.c:7:3")
        );
    }

    #[test]
    fn stack_blocks_can_be_freed_and_reused() {
        let lines = "b0:\n%0 = alloc stack 100:i64, 16:i64\n%1 = ptrtoint ptr %0 to i64\nfree stack %0\n\
                     %0 = alloc stack 100:i64, 16:i64\n%2 = ptrtoint ptr %0 to i64\n%1 = sub i64 %1, %2\n\
                     %3 = trunc i64 %1 to i32\nret %3";
        assert_eq!(run(&main_of("", "%0 ptr, %1 i64, %2 i64, %3 i32", lines)), "exit 0");
    }

    #[test]
    fn a_function_without_body_is_unsupported() {
        let text = main_of("fn &ext() {\n}", "", "b0:\ncall * &ext()\nret 0:i32");
        assert_eq!(run(&text), "unsupported: call of 'ext', which has no definition");
    }
}
