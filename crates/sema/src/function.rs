//! Function definitions, prototyped and K&R.
//!
//! The parameters are declared first, in a scope of their own; that scope is left while the function
//! itself is declared at file scope, and entered again for the body. A K&R parameter narrower than
//! its promoted type arrives promoted and is narrowed by a declaration at the start of the body.

use crate::check::{Checker, FnCtx, node};
use crate::decl::merge_attrs;
use crate::declarator::Param;
use crate::entity::EntityDecl;
use crate::hir::{EntityId, EntityKind, ExprKind, Function, Init, LocalId, Stmt, StmtKind};
use crate::scope::Binding;
use crate::types::{FnType, QualType, TypeId, TypeKind};
use braid_base::{HashMap, IndexVec, Span, Symbol};
use braid_syntax::ast::{self, DeclaratorPart, Params};

/// The parameters of a definition: what the caller passes, and what the body begins with.
struct Entry {
    params: Vec<LocalId>,
    fn_ty: FnType,
    prologue: Vec<Stmt>,
}

impl Checker<'_> {
    pub fn function_def(&mut self, def: &ast::FunctionDef) {
        let specs = self.specs(&def.specs, false);
        let (Some((name, span)), Some(DeclaratorPart::Function(params))) =
            (def.declarator.name, def.declarator.parts.first())
        else {
            let text = "a function definition needs a name and a parameter list";
            self.error("bad-definition", def.declarator.span, text);
            return;
        };
        let own = self.attrs(&[&def.declarator.attrs, &def.attrs]);
        let attrs = merge_attrs(&specs.attrs, &own);
        let base = self.apply_type_attrs(specs.ty, &own, span);
        let ret = self.build_type(base, &def.declarator.parts[1..], span);
        let ret = self.return_type(ret, span).unwrap_or(self.error_type());
        if !self.types.is_void(ret.ty) && !self.types.is_complete(ret.ty) {
            let shown = self.types.show(ret);
            self.error("incomplete-type", span, format!("'{name}' returns incomplete type '{shown}'"));
        }
        self.func = Some(new_context(name, ret));
        self.scopes.enter();
        let entry = self.entry(params, &def.old_style_params, ret, span);
        let scope = self.scopes.leave();
        let ty = QualType::plain(self.types.intern(TypeKind::Function(entry.fn_ty.clone())));
        let decl = EntityDecl {
            name,
            span,
            ty,
            storage: def.specs.storage,
            thread_local: false,
            inline: def.specs.inline,
            asm_label: None,
            align: None,
            defines: true,
        };
        let id = self.declare_definition(&decl, &attrs);
        if let Some(func) = &mut self.func {
            func.entity = id;
            func.variadic = entry.fn_ty.variadic;
        }
        self.scopes.reenter(scope);
        let body = self.function_body(def, entry.prologue);
        self.scopes.leave();
        self.finish_function(id, entry.params, entry.fn_ty, body);
    }

    /// Declares the function; `None` if it is already defined.
    fn declare_definition(&mut self, decl: &EntityDecl, attrs: &crate::attrs::Attrs) -> Option<EntityId> {
        let earlier = self.linked.get(&decl.name).map(|id| (self.info[*id].gnu_extern_inline, *id));
        let id = self.declare_entity(decl, attrs);
        if let Some(previous) = self.info[id].defined {
            // A real definition takes the place of GNU's `extern inline` one.
            let replaces = earlier.is_some_and(|(gnu, _)| gnu);
            if !replaces {
                self.redefinition(decl.name, decl.span, previous);
                return None;
            }
            self.info[id].gnu_extern_inline = false;
            self.info[id].only_inline = false;
        }
        self.info[id].defined = Some(decl.span);
        self.entities[id].span = decl.span;
        Some(id)
    }

    fn function_body(&mut self, def: &ast::FunctionDef, prologue: Vec<Stmt>) -> Stmt {
        let mut body = self.block_in_scope(&def.body, prologue);
        let is_main =
            self.func.as_ref().is_some_and(|f| f.name.as_str() == "main" && f.ret.ty == self.common.int);
        if let (true, StmtKind::Block { stmts, .. }) = (is_main, &mut body.kind) {
            // Reaching the end of `main` returns 0 (C11 5.1.2.2.3).
            let zero = self.int_value(0, def.body.span);
            let end = Span::new(def.body.span.hi.saturating_sub(1), def.body.span.hi);
            stmts.push(Stmt { kind: StmtKind::Return(Some(zero)), span: end });
        }
        body
    }

    fn finish_function(&mut self, id: Option<EntityId>, params: Vec<LocalId>, fn_ty: FnType, body: Stmt) {
        self.check_labels();
        let func = self.func.take().expect("the function being finished is open");
        if let Some(id) = id {
            let function = Function { fn_ty, params, locals: func.locals, labels: func.labels, body };
            self.entities[id].kind = EntityKind::Function(Box::new(function));
        }
    }

    fn entry(&mut self, params: &Params, old_style: &[ast::Declaration], ret: QualType, span: Span) -> Entry {
        let outer = std::mem::take(&mut self.vla_sets);
        let (params, types, mut prologue, variadic, unprototyped) = match params {
            Params::Prototype { params, variadic } => {
                let list = self.params(params, true);
                let types = self.param_types(&list);
                (self.param_locals(list, span), types, Vec::new(), *variadic, false)
            }
            Params::Unspecified => (Vec::new(), Vec::new(), Vec::new(), false, true),
            Params::Identifiers(names) => {
                let (params, types, prologue) = self.old_style_params(names, old_style);
                (params, types, prologue, false, true)
            }
        };
        for set in self.vla_sets.drain(..) {
            prologue.push(Stmt { kind: StmtKind::Expr(set), span });
        }
        self.vla_sets = outer;
        let fn_ty = FnType { ret, params: types, variadic, unprototyped };
        Entry { params, fn_ty, prologue }
    }

    fn param_locals(&mut self, params: Vec<Param>, span: Span) -> Vec<LocalId> {
        params
            .into_iter()
            .map(|p| match p.local {
                Some(local) => local,
                None => self.new_local(None, p.ty, span),
            })
            .collect()
    }

    fn old_style_params(
        &mut self,
        names: &[(Symbol, Span)],
        declarations: &[ast::Declaration],
    ) -> (Vec<LocalId>, Vec<QualType>, Vec<Stmt>) {
        let declared = self.old_style_types(names, declarations);
        let (mut params, mut types, mut prologue) = (Vec::new(), Vec::new(), Vec::new());
        for &(name, span) in names {
            let ty = match declared.get(&name) {
                Some(ty) => *ty,
                None => {
                    self.warn("implicit-int", span, format!("type of '{name}' is missing, 'int' is assumed"));
                    QualType::plain(self.common.int)
                }
            };
            let promoted = self.promoted_type(ty.ty);
            if promoted == ty.ty {
                let local = self.declare_param(Some(name), ty, span, true);
                params.extend(local);
            } else {
                let passed = self.new_local(None, QualType::plain(promoted), span);
                params.push(passed);
                prologue.push(self.narrow_param(name, ty, passed, span));
            }
            types.push(QualType::plain(self.types.erase_vla(promoted)));
        }
        (params, types, prologue)
    }

    /// Types the declarations between `)` and `{` give to the parameters.
    fn old_style_types(
        &mut self,
        names: &[(Symbol, Span)],
        declarations: &[ast::Declaration],
    ) -> HashMap<Symbol, QualType> {
        let mut declared = HashMap::default();
        for declaration in declarations {
            let specs = self.specs(&declaration.specs, declaration.declarators.is_empty());
            for item in &declaration.declarators {
                let Some((name, span)) = item.declarator.name else { continue };
                let ty = self.param_type(specs.ty, &item.declarator.parts, span);
                if !names.iter().any(|(n, _)| *n == name) {
                    self.error("not-a-parameter", span, format!("'{name}' is not in the parameter list"));
                } else if declared.insert(name, ty).is_some() {
                    self.error("redefinition", span, format!("parameter '{name}' is declared twice"));
                }
            }
        }
        declared
    }

    pub fn promoted_type(&mut self, ty: TypeId) -> TypeId {
        if ty == self.common.float {
            return self.common.double;
        }
        if self.types.is_integer(ty) && self.types.as_int(ty).is_none_or(|k| self.types.int_bytes(k) < 4) {
            let kind = self.promoted_kind(ty);
            return self.types.int(kind);
        }
        ty
    }

    /// `char c = (char)passed;`
    fn narrow_param(&mut self, name: Symbol, ty: QualType, passed: LocalId, span: Span) -> Stmt {
        let local = self.new_local(Some(name), ty, span);
        self.scopes.bind(name, Binding::Local(local));
        let func = self.func.as_ref().expect("parameters belong to a function");
        let from = func.locals[passed].ty;
        let value = self.value_of(node(ExprKind::Local(passed), from.ty, span));
        let value = self.convert(value, ty.ty);
        // The body's block has not been opened yet: its list of locals starts with this one.
        let func = self.func.as_mut().expect("parameters belong to a function");
        func.prologue_locals.push(local);
        Stmt { kind: StmtKind::Decl { local, init: Some(Init::Expr(value)) }, span }
    }

    /// A nested function is only known by its type; using it stops the run.
    pub fn nested_function(&mut self, def: &ast::FunctionDef) {
        let specs = self.specs(&def.specs, false);
        let Some((name, span)) = def.declarator.name else { return };
        self.prototype += 1;
        let ty = self.build_type(specs.ty, &def.declarator.parts, span);
        self.prototype -= 1;
        let reason = format!("nested function '{name}'");
        self.scopes.bind(name, Binding::Unsupported { ty, reason });
    }
}

fn new_context(name: Symbol, ret: QualType) -> FnCtx {
    FnCtx {
        entity: None,
        name,
        ret,
        variadic: false,
        locals: IndexVec::new(),
        labels: IndexVec::new(),
        label_scopes: vec![HashMap::default()],
        label_defined: Vec::new(),
        block_locals: Vec::new(),
        prologue_locals: Vec::new(),
        switches: Vec::new(),
        breakable: 0,
        loops: 0,
        func_name: None,
        vm_parents: vec![0],
        vm_here: 0,
        label_vm: Vec::new(),
        gotos: Vec::new(),
    }
}

#[cfg(test)]
mod tests {
    use crate::testing::check_f;
    use expect_test::expect;

    #[test]
    fn old_style_parameters_arrive_promoted() {
        check_f(
            "int f(c, x, p, n) char c; float x; int p[3]; { return c + x + p[n]; }\n",
            expect![[r#"
            t.c:1:16: warning: type of 'n' is missing, 'int' is assumed [implicit-int]
             1 | int f(c, x, p, n) char c; float x; int p[3]; { return c + x + p[n]; }
               |                ^
            {c x
              decl c: char = (Int:char (ld l0))
              decl x: float = (Float:float (ld l2))
              return (FloatToInt:int (+ (+ (IntToFloat:float (Int:int (ld c))) (ld x)) (IntToFloat:float (ld (* (p+ (ld p) (ld n) *4:unsigned long))))))
            }
        "#]],
        );
    }

    #[test]
    fn variable_lengths_of_parameters_are_computed_on_entry() {
        check_f(
            "int f(int n, int m, int a[n][m + 1], int (*b)[m]) { return a[1][2] + sizeof *b; }\n",
            expect![[r#"
                {l2 l3 l5
                  (len l2 (Int:unsigned long (+ (ld m) 1)))
                  (len l3 (Int:unsigned long (ld n)))
                  (len l5 (Int:unsigned long (ld m)))
                  return (Int:int (+ (Int:unsigned long (ld (* (p+ (decay (* (p+ (ld a) 1 *(* (ld l2) 4:unsigned long)))) 2 *4:unsigned long)))) (* (ld l5) 4:unsigned long)))
                }
            "#]],
        );
    }

    #[test]
    fn variable_length_arrays() {
        check_f(
            "unsigned long f(int n) {\n\
             int a[n], b[2][n], (*p)[n] = &a; typedef int T[n]; n++;\n\
             T t; sizeof(int[n]); (int (*)[n])p; p[1][2]; p + 1; sizeof a; sizeof(T); return sizeof b;\n\
             }\n",
            expect![[r#"
                {l1 l3 l5 p l7 l9 l10
                  (len l1 (Int:unsigned long (ld n)))
                  decl a: int [*]
                  (len l3 (Int:unsigned long (ld n)))
                  decl b: int [2][*]
                  (len l5 (Int:unsigned long (ld n)))
                  decl p: int (*)[*] = (Ptr:int (*)[*] (& a))
                  (len l7 (Int:unsigned long (ld n)))
                  (+= n 1 in int Old)
                  decl t: int [*]
                  (, (len l9 (Int:unsigned long (ld n))) (* (ld l9) 4:unsigned long))
                  (, (len l10 (Int:unsigned long (ld n))) (Ptr:int (*)[*] (ld p)))
                  (ld (* (p+ (decay (* (p+ (ld p) 1 *(* (ld l5) 4:unsigned long)))) 2 *4:unsigned long)))
                  (p+ (ld p) 1 *(* (ld l5) 4:unsigned long))
                  (* (ld l1) 4:unsigned long)
                  (* (ld l7) 4:unsigned long)
                  return (* 2:unsigned long (* (ld l3) 4:unsigned long))
                }
            "#]],
        );
    }
}
