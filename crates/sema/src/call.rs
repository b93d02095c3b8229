//! Calls: of functions by name or pointer, with prototypes or without.

use crate::assignable::Purpose;
use crate::attrs::Attrs;
use crate::check::{Checker, node};
use crate::decl::entity_of;
use crate::entity::EntityDecl;
use crate::hir::{Callee, EntityId, Expr, ExprKind};
use crate::scope::Binding;
use crate::types::{FnType, QualType, TypeId, TypeKind};
use braid_base::{Diagnostic, Span, Symbol};
use braid_syntax::ast;

impl Checker<'_> {
    pub fn call(&mut self, callee: &ast::Expr, args: &[ast::Expr], span: Span) -> Expr {
        if let Some(name) = called_name(callee)
            && self.scopes.ordinary.get(name).is_none()
        {
            if let Some(value) = self.builtin_call(name, args, span) {
                return value;
            }
            if !name.as_str().starts_with("__builtin_") {
                self.implicit_function(name, callee.span);
            }
        }
        let callee = self.expr(callee);
        let direct = if self.types.is_function(callee.ty.ty) { entity_of(&callee.kind) } else { None };
        let callee = self.value_of(callee);
        if self.types.is_error(callee.ty.ty) {
            // The arguments may hold mistakes of their own.
            for arg in args {
                let _ = self.rvalue(arg);
            }
            return self.error_expr(span);
        }
        let Some(fn_ty) = self.types.pointee(callee.ty.ty).and_then(|to| self.types.fn_type(to.ty)).cloned()
        else {
            let shown = self.show(callee.ty.ty);
            self.error(
                "not-a-function",
                callee.span,
                format!("called object of type '{shown}' is not a function"),
            );
            return self.error_expr(span);
        };
        if let Some(id) = direct.filter(|id| self.info[*id].implicit)
            && let Some(text) = self.count_mistake(&fn_ty, direct, args.len())
        {
            return self.implicit_misfit(id, &fn_ty, args, text, span);
        }
        let args = self.arguments(&fn_ty, direct, args, span);
        let callee = match direct {
            Some(id) => Callee::Direct(id),
            None => Callee::Pointer(Box::new(callee)),
        };
        self.call_result(callee, args, &fn_ty, span)
    }

    pub fn call_result(&mut self, callee: Callee, args: Vec<Expr>, fn_ty: &FnType, span: Span) -> Expr {
        let ret = fn_ty.ret.ty;
        if !self.types.is_void(ret) && !self.types.is_complete(ret) {
            let shown = self.show(ret);
            self.error("incomplete-type", span, format!("the call returns incomplete type '{shown}'"));
            return self.error_expr(span);
        }
        node(ExprKind::Call { callee, args }, ret, span)
    }

    pub fn arguments(
        &mut self,
        fn_ty: &FnType,
        callee: Option<EntityId>,
        args: &[ast::Expr],
        span: Span,
    ) -> Vec<Expr> {
        let mut values = Vec::with_capacity(args.len());
        for (index, arg) in args.iter().enumerate() {
            let value = self.rvalue(arg);
            let value = match fn_ty.params.get(index) {
                Some(param) if !fn_ty.unprototyped => {
                    self.assign_convert(value, *param, Purpose::Arg { index, callee }, arg.span)
                }
                _ => self.promoted_argument(value, index, callee),
            };
            values.push(value);
        }
        self.check_count(fn_ty, callee, args.len(), span);
        values
    }

    fn promoted_argument(&mut self, value: Expr, index: usize, callee: Option<EntityId>) -> Expr {
        let ty = value.ty.ty;
        if self.types.is_void(ty) {
            let name = callee.map_or(String::new(), |id| format!(" of '{}'", self.info[id].c_name));
            let text = format!("argument {}{name} has no value (its type is 'void')", index + 1);
            self.error("void-value", value.span, text);
            return self.error_expr(value.span);
        }
        self.default_promote(value)
    }

    /// A library function called without a declaration, with the wrong number of arguments: as far as C is
    /// concerned it has no prototype, so the call is only undefined.
    fn implicit_misfit(
        &mut self,
        callee: EntityId,
        fn_ty: &FnType,
        args: &[ast::Expr],
        text: String,
        span: Span,
    ) -> Expr {
        self.warn("argument-count", span, text);
        for arg in args {
            let _ = self.rvalue(arg);
        }
        let name = self.info[callee].c_name;
        let reason = format!("a call of '{name}' with the wrong number of arguments");
        self.unsupported(reason, fn_ty.ret.ty, span)
    }

    /// What is wrong with the number of arguments, in words.
    fn count_mistake(&self, fn_ty: &FnType, callee: Option<EntityId>, given: usize) -> Option<String> {
        let wanted = fn_ty.params.len();
        let word = if given < wanted {
            "few"
        } else if given > wanted && !fn_ty.variadic {
            "many"
        } else {
            return None;
        };
        let name =
            callee.map_or("this call".to_owned(), |id| format!("the call of '{}'", self.info[id].c_name));
        let text = format!("too {word} arguments in {name}: {given} given, {wanted} expected");
        (!fn_ty.unprototyped).then_some(text)
    }

    fn check_count(&mut self, fn_ty: &FnType, callee: Option<EntityId>, given: usize, span: Span) {
        let Some(text) = self.count_mistake(fn_ty, callee, given) else { return };
        let mut diagnostic = Diagnostic::error("argument-count", span, text);
        if let Some(id) = callee {
            diagnostic = diagnostic.note_at(self.entities[id].span, "it is declared here");
        }
        self.report(diagnostic);
    }

    /// A call of an undeclared name declares `int name()`.
    pub fn implicit_function(&mut self, name: Symbol, span: Span) -> EntityId {
        if let Some(&id) = self.linked.get(&name) {
            self.scopes.bind(name, Binding::Entity(id));
            return id;
        }
        let assumed = self.implicit_type(name);
        let shown = self.show(assumed);
        let text = format!("'{name}' is called without a declaration; type '{shown}' is assumed");
        self.warn("implicit-function", span, text);
        self.declare_implicitly(name, assumed, span)
    }

    /// The library function's type if the library has one, else `int ()`.
    fn implicit_type(&mut self, name: Symbol) -> TypeId {
        if let Some(ty) = self.library.signature(name) {
            return ty;
        }
        let ret = QualType::plain(self.common.int);
        let fn_ty = FnType { ret, params: Vec::new(), variadic: false, unprototyped: true };
        self.types.intern(TypeKind::Function(fn_ty))
    }

    fn declare_implicitly(&mut self, name: Symbol, ty: TypeId, span: Span) -> EntityId {
        let ty = QualType::plain(ty);
        let decl = EntityDecl {
            name,
            span,
            ty,
            storage: None,
            thread_local: false,
            inline: false,
            asm_label: None,
            align: None,
            defines: false,
        };
        let id = self.declare_entity(&decl, &Attrs::default());
        self.info[id].implicit = true;
        id
    }

    /// The function that `__builtin_name` stands for when it is no operator of the compiler: the
    /// library function `name`, as declared in the unit, else as if called without declaration.
    pub fn builtin_function(&mut self, name: Symbol, span: Span) -> Option<EntityId> {
        let plain = name.as_str().strip_prefix("__builtin_")?;
        let plain = Symbol::intern(plain);
        if let Some(&id) = self.linked.get(&plain) {
            return self.types.is_function(self.entities[id].ty.ty).then_some(id);
        }
        let assumed = self.implicit_type(plain);
        if self.library.signature(plain).is_none() {
            let text =
                format!("'{name}' stands for '{plain}', which is not declared; 'int {plain}()' is assumed");
            self.warn("implicit-function", span, text);
        }
        Some(self.declare_implicitly(plain, assumed, span))
    }
}

/// The name in `name(...)`, also in parentheses.
fn called_name(callee: &ast::Expr) -> Option<Symbol> {
    match &callee.kind {
        ast::ExprKind::Name(name) => Some(*name),
        ast::ExprKind::Paren(inner) => called_name(inner),
        _ => None,
    }
}
