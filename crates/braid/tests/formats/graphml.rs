//! GraphML witnesses 1.0: read with a small XML reader, then looked at as the format's description demands. With
//! witnesslint installed its strict mode looks at them as well.

use std::collections::BTreeMap;
use std::path::Path;
use std::process::{Command, Stdio};

/// An element with its attributes, children and text.
#[derive(Default, Debug)]
struct Element {
    name: String,
    attributes: BTreeMap<String, String>,
    children: Vec<Element>,
    text: String,
}

/// Reads well-formed XML without comments, processing instructions (but the first) or CDATA.
fn parse(text: &str) -> Element {
    let mut rest = text.split_once("?>").expect("an XML declaration").1;
    let mut open: Vec<Element> = vec![Element::default()];
    while let Some((before, after)) = rest.split_once('<') {
        let (tag, after) = after.split_once('>').expect("tags are closed");
        open.last_mut().expect("an element").text += before.trim();
        rest = after;
        if let Some(name) = tag.strip_prefix('/') {
            let done = open.pop().expect("an element");
            assert_eq!(done.name, name, "elements are nested");
            open.last_mut().expect("an element").children.push(done);
            continue;
        }
        let (tag, empty) = tag.strip_suffix('/').map_or((tag, false), |tag| (tag, true));
        let element = element(tag);
        if empty { open.last_mut().expect("an element").children.push(element) } else { open.push(element) }
    }
    assert_eq!(open.len(), 1, "all elements are closed");
    open.remove(0).children.remove(0)
}

fn element(tag: &str) -> Element {
    let (name, mut rest) = tag.split_once(' ').unwrap_or((tag, ""));
    let mut attributes = BTreeMap::new();
    while let Some((key, after)) = rest.trim_start().split_once("=\"") {
        let (value, after) = after.split_once('"').expect("attributes are quoted");
        attributes.insert(key.to_string(), value.to_string());
        rest = after;
    }
    Element { name: name.to_string(), attributes, ..Element::default() }
}

impl Element {
    fn all<'e>(&'e self, name: &'e str) -> impl Iterator<Item = &'e Element> {
        self.children.iter().filter(move |child| child.name == name)
    }

    fn data(&self, key: &str) -> Option<&str> {
        let found = self.all("data").find(|data| data.attributes.get("key").is_some_and(|name| name == key));
        found.map(|data| data.text.as_str())
    }
}

/// What both kinds of witnesses have; the graph.
fn graph(text: &str, kind: &str) -> Element {
    let root = parse(text);
    assert_eq!(root.name, "graphml");
    let keys: Vec<String> = root.all("key").filter_map(|key| key.attributes.get("id").cloned()).collect();
    let mut graphs: Vec<Element> = root.children.into_iter().filter(|child| child.name == "graph").collect();
    assert_eq!(graphs.len(), 1);
    let graph = graphs.remove(0);
    assert_eq!(graph.attributes.get("edgedefault").map(String::as_str), Some("directed"));
    assert_eq!(graph.data("witness-type"), Some(kind));
    assert_eq!(graph.data("sourcecodelang"), Some("C"));
    assert_eq!(graph.data("architecture"), Some("64bit"));
    assert_eq!(graph.data("creationtime"), Some("1970-01-01T00:00:00Z"));
    assert!(graph.data("producer").is_some_and(|name| name.starts_with("Braid ")));
    assert!(graph.data("specification").is_some_and(|text| text.starts_with("CHECK( init(main()), LTL(")));
    assert!(graph.data("programfile").is_some_and(|name| name.ends_with(".c")));
    let hash = graph.data("programhash").expect("a hash");
    assert!(hash.len() == 64 && hash.chars().all(|c| c.is_ascii_hexdigit()), "{hash}");
    let nodes = graph.children.iter().flat_map(|child| child.all("data")).chain(graph.all("data"));
    for data in nodes {
        let key = data.attributes.get("key").expect("data have a key");
        assert!(keys.contains(key), "'{key}' is not declared");
    }
    let entries = graph.all("node").filter(|node| node.data("entry") == Some("true"));
    assert_eq!(entries.count(), 1, "there is one entry");
    graph
}

pub fn violation(text: &str, fixture: &str) {
    let graph = graph(text, "violation_witness");
    let nodes: Vec<&Element> = graph.all("node").collect();
    let violating: Vec<&&Element> =
        nodes.iter().filter(|node| node.data("violation") == Some("true")).collect();
    assert_eq!(violating.len(), 1, "there is one violation");
    assert_eq!(violating[0].attributes, nodes.last().expect("a node").attributes, "at the end");
    let mut created = vec!["0".to_string()];
    let mut at = nodes[0].attributes["id"].clone();
    for edge in graph.all("edge") {
        assert_eq!(edge.attributes["source"], at, "one path");
        at = edge.attributes["target"].clone();
        assert_eq!(edge.data("originfile"), Some(fixture));
        assert!(edge.data("startline").is_some_and(|line| line.parse::<u32>().is_ok_and(|line| line > 0)));
        let thread = edge.data("threadId").expect("every edge has a thread").to_string();
        assert!(created.contains(&thread), "thread {thread} runs before it is created");
        created.extend(edge.data("createThread").map(str::to_string));
    }
    assert_eq!(at, nodes.last().expect("a node").attributes["id"]);
}

/// witnesslint (`lint/witnesslinter.py` of sosy-lab/sv-witnesses) has nothing to say in its strict mode, if it is
/// there: `WITNESSLINT` is its path, `PYTHON` the interpreter with lxml if not `python3`.
pub fn against_witnesslint(witness: &Path, program: &Path) {
    let Some(linter) = std::env::var_os("WITNESSLINT") else {
        eprintln!("SKIPPED: witnesslint is not installed (set WITNESSLINT to the path of witnesslinter.py)");
        return;
    };
    let python = std::env::var_os("PYTHON").unwrap_or_else(|| "python3".into());
    let known = Command::new(&python).args(["-c", "import lxml"]).stderr(Stdio::null()).status();
    if !known.is_ok_and(|status| status.success()) {
        eprintln!("SKIPPED: witnesslint needs Python with lxml (set PYTHON)");
        return;
    }
    let mut command = Command::new(python);
    command.arg(linter).arg("--strictChecking").arg("--witness").args([witness, program]);
    let output = command.output().expect("it runs");
    let said = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success() && said.is_empty(), "{}: {said}", program.display());
}

pub fn correctness(text: &str) {
    let graph = graph(text, "correctness_witness");
    assert_eq!(graph.all("node").count(), 1);
    assert_eq!(graph.all("edge").count(), 0);
}
