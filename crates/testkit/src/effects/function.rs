//! A library function as its text declares it, and calls of it.

use braid_models::{Access, Def, Row, lookup};

/// A function of the library.
pub struct Function {
    pub name: String,
    /// The declarations of its parameters, without the dots of variable ones.
    pub parameters: Vec<String>,
    /// False for functions of type `void`.
    pub has_result: bool,
}

/// Functions that are operations of the IR: they have no text.
const OPERATIONS: [&str; 4] = [
    "unsigned long pthread_self(void)",
    "unsigned long __pthread_self(void)",
    "unsigned long thrd_current(void)",
    "void reach_error(void)",
];

impl Function {
    pub fn find(name: &str) -> Result<Function, String> {
        let head = head(name).ok_or_else(|| format!("{name} has no text"))?;
        let (before, list) = head.split_once('(').ok_or_else(|| format!("{head} has no parameters"))?;
        let list = list.trim_end();
        let list = list.strip_suffix(')').unwrap_or(list);
        let listed = split_parameters(list).into_iter();
        let parameters = listed.filter(|parameter| !matches!(parameter.as_str(), "void" | "...")).collect();
        let has_result = before.trim_end_matches(name).trim() != "void";
        Ok(Function { name: name.to_string(), parameters, has_result })
    }

    /// Refuses positions that a call has not. The area of variable arguments comes after the parameters.
    pub fn has_positions(&self, roles: &[usize], accesses: &[Access]) -> Result<(), String> {
        let named = roles.iter().copied().chain(accesses.iter().map(|access| access.argument));
        match named.max() {
            Some(last) if last > self.parameters.len() => {
                Err(format!("{} has no argument {last}", self.name))
            }
            Some(_) | None => Ok(()),
        }
    }

    pub fn is_pointer(&self, position: usize) -> bool {
        self.parameters.get(position).is_some_and(|parameter| parameter.contains('*'))
    }

    /// A call with these arguments, in any order. The others are a time that is over, standard output, or 0; arguments
    /// after the last parameter are variable ones.
    pub fn call(&self, given: &[(usize, &str)]) -> String {
        let count = given.iter().map(|(position, _)| position + 1).max().unwrap_or(0);
        let argument = |position: usize| {
            let named = given.iter().find(|(at, _)| *at == position).map(|(_, text)| *text);
            named.unwrap_or_else(|| self.default_argument(position))
        };
        let list: Vec<&str> = (0..count.max(self.parameters.len())).map(argument).collect();
        format!("{}({})", self.name, list.join(", "))
    }

    fn default_argument(&self, position: usize) -> &'static str {
        match self.parameters.get(position).map(String::as_str) {
            Some(parameter) if parameter.contains("const struct __braid_timespec") => "&over",
            Some(parameter) if parameter.contains("struct __braid_file") => "stdout",
            Some("int fd") => "1",
            Some(_) | None => "0",
        }
    }

    /// The call as a statement that uses the result, if there is one.
    pub fn statement(&self, given: &[(usize, &str)]) -> String {
        let call = self.call(given);
        if self.has_result {
            format!("{{ long result; result = (long){call}; }}")
        } else {
            format!("{call};")
        }
    }

    /// A statement that fails if the call does not give 0.
    pub fn succeeds(&self, given: &[(usize, &str)]) -> String {
        let call = self.call(given);
        if self.has_result { format!("if ({call} != 0) wrong();") } else { format!("{call};") }
    }
}

/// The declaration of a function of the library, without its semicolon.
pub fn head(name: &str) -> Option<String> {
    let ends = format!(" {name}(");
    let operation = OPERATIONS.iter().find(|head| head.contains(&ends));
    if let Some(head) = operation {
        return Some((*head).to_string());
    }
    let Some(Row { def: Def::C(module), .. }) = lookup(name) else { return None };
    let definitions = module.text.split("\n{\n").filter_map(|text| text.rsplit("\n\n").next());
    let heads =
        definitions.map(|text| text.lines().filter(|line| !line.starts_with([' ', '/', '}'])).collect());
    let mut heads = heads.filter(|head: &String| !head.starts_with("static "));
    heads.find(|head| head.contains(&ends) || head.contains(&format!("*{name}(")))
}

/// Splits a list of parameters at the commas that are in no parentheses.
fn split_parameters(list: &str) -> Vec<String> {
    let mut depth = 0;
    let mut parts = vec![String::new()];
    for letter in list.chars() {
        depth += i32::from(letter == '(') - i32::from(letter == ')');
        match letter {
            ',' if depth == 0 => parts.push(String::new()),
            other => parts.last_mut().expect("there is a first part").push(other),
        }
    }
    parts.into_iter().map(|part| part.trim().to_string()).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn calls_have_all_arguments() {
        let lock = Function::find("pthread_mutex_clocklock").expect("a text");
        assert_eq!(lock.call(&[(0, "m")]), "pthread_mutex_clocklock(m, 0, &over)");
        let once = Function::find("pthread_once").expect("a text");
        assert_eq!(once.parameters, ["int *once", "void (*routine)(void)"]);
        let create = Function::find("pthread_create").expect("a text");
        assert_eq!(create.parameters.len(), 4);
        let print = Function::find("fprintf").expect("a text");
        assert_eq!(print.call(&[(1, "\"%d\""), (2, "7")]), "fprintf(stdout, \"%d\", 7)");
        assert!(!Function::find("perror").expect("a text").has_result);
        assert!(Function::find("pthread_self").expect("an operation").parameters.is_empty());
    }
}
