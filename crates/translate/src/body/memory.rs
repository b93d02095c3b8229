//! Addresses and accesses: objects by their names, members by theirs, everything else through casts.

use super::Body;
use crate::Untranslatable;
use crate::expr::{self, Place};
use crate::program::Object;
use crate::types::{signed_type, stored_bits, value_type};
use braid_ir::*;

/// A place in memory.
pub(super) enum Address {
    Object(Object, i128),
    /// Further bytes of an object, by an expression.
    Indexed(Object, i128, String),
    Text(String),
}

impl Body<'_, '_> {
    /// Where a pointer points to, if that is a known object.
    pub(super) fn resolve(&mut self, pointer: Operand) -> Result<Address, Untranslatable> {
        let known = match pointer {
            Operand::Const(id) => match self.shared.program.consts.get(id) {
                Const::Global(global, offset) => {
                    return Ok(Address::Object(Object::Global(global), offset.into()));
                }
                _ => None,
            },
            Operand::Reg(reg) => self.values.get(&reg).or_else(|| self.known.get(&reg)).copied(),
        };
        match known {
            Some(Expr::Use(other)) => self.resolve(other),
            Some(Expr::LocalAddr(local)) => Ok(Address::Object(Object::Local(local), 0)),
            Some(Expr::ThreadLocalAddr(global)) => {
                Ok(Address::Object(Object::ThreadLocal(self.thread, global), 0))
            }
            Some(Expr::PtrAdd { ptr, offset }) => match (self.resolve(ptr)?, self.constant(offset)) {
                (Address::Object(object, at), Some(Const::Int { width, bits })) => {
                    Ok(Address::Object(object, at + expr::signed(width, bits)))
                }
                (Address::Indexed(object, at, by), Some(Const::Int { width, bits })) => {
                    Ok(Address::Indexed(object, at + expr::signed(width, bits), by))
                }
                (Address::Object(object, at), None) => {
                    let by = self.value(offset)?;
                    Ok(Address::Indexed(object, at, by))
                }
                _ => Ok(Address::Text(self.value(pointer)?)),
            },
            _ => Ok(Address::Text(self.value(pointer)?)),
        }
    }

    /// The name of an object and its shape.
    pub(super) fn object(&mut self, object: Object) -> (String, ShapeId) {
        match object {
            Object::Global(global) | Object::ThreadLocal(_, global) => {
                (self.shared.object_name(object), self.shared.program.globals[global].shape)
            }
            Object::Local(local) => (self.local(local), self.function.locals[local].shape),
        }
    }

    /// The text of an address as a pointer to bytes.
    pub(super) fn pointer_text(&mut self, address: &Address, further: i128) -> String {
        match address {
            Address::Text(text) if further == 0 => text.clone(),
            Address::Text(text) => format!("({text} + {further})"),
            Address::Indexed(object, offset, by) => {
                let (name, _) = self.object(*object);
                self.read.insert(name.clone());
                let long = signed_type(Ty::Int(8 * self.shared.program.pointer_bytes), 8);
                match offset + further {
                    0 => format!("((char *)&{name} + ({long}){by})"),
                    offset => format!("((char *)&{name} + {offset} + ({long}){by})"),
                }
            }
            Address::Object(object, offset) => {
                let (name, _) = self.object(*object);
                self.read.insert(name.clone());
                match offset + further {
                    0 => format!("(char *)&{name}"),
                    offset => format!("((char *)&{name} + {offset})"),
                }
            }
        }
    }

    /// The object or part of one that an access goes to.
    pub(super) fn lvalue(&mut self, ty: Ty, pointer: Operand) -> Result<String, Untranslatable> {
        let address = self.resolve(pointer)?;
        let bytes = self.shared.program.pointer_bytes;
        if let Address::Object(object, offset) = &address
            && let Ok(offset) = u64::try_from(*offset)
        {
            let (name, shape) = self.object(*object);
            if let Some(member) = self.shared.types.member(shape, offset, ty, &name) {
                return Ok(member);
            }
        }
        if let Ty::Int(width) = ty
            && width > 1
            && stored_bits(width) != u32::from(width)
        {
            return Err(self.refuse(format!("an access of {width} bits")));
        }
        Ok(self.word(&address, 0, value_type(ty, bytes)))
    }

    /// Memory at an address, read as a value of a C type.
    pub(super) fn word(&mut self, address: &Address, further: i128, ty: &str) -> String {
        let text = self.pointer_text(address, further);
        let text = text.strip_prefix("(char *)").unwrap_or(&text);
        let space = if ty.ends_with('*') { "" } else { " " };
        format!("*({ty}{space}*){text}")
    }

    /// The word in which a model keeps the state of a synchronisation object. It lies in bytes of the object that the model
    /// does not use otherwise; objects of one word have words of their own beside them.
    pub(super) fn shadow(&mut self, instr: &Instr, pointer: Operand) -> Result<String, Untranslatable> {
        let address = self.resolve(pointer)?;
        let model = (self.shared.model)(instr.id);
        let within = braid_models::state_offset(model, self.shared.program.pointer_bytes);
        if let Some(delta) = within {
            return Ok(self.word(&address, delta, "int"));
        }
        match address {
            Address::Object(object, offset) => {
                let (name, shape) = self.object(object);
                let twin = self.shared.shadow_name((self.thread, object), &name, shape);
                Ok(format!("{twin}[{}]", offset / 4))
            }
            Address::Indexed(object, offset, by) => {
                let (name, shape) = self.object(object);
                let twin = self.shared.shadow_name((self.thread, object), &name, shape);
                Ok(format!("{twin}[({offset} + {by}) / 4]"))
            }
            Address::Text(_) => Err(self.refuse(format!("the state of a {model} object behind a pointer"))),
        }
    }

    /// A plain write makes a synchronisation object as new.
    pub(super) fn renew(&mut self, pointer: Operand) -> Result<(), Untranslatable> {
        if let Address::Object(object, offset) = self.resolve(pointer)?
            && let Some(twin) = self.shared.known_shadow((self.thread, object))
        {
            self.line(&format!("{twin}[{}] = 0;", offset / 4));
        }
        Ok(())
    }

    pub(super) fn access(
        &mut self,
        instr: &Instr,
        ty: Ty,
        ptr: Operand,
        space: Space,
    ) -> Result<String, Untranslatable> {
        match space {
            Space::Memory => self.lvalue(ty, ptr),
            Space::Shadow => self.shadow(instr, ptr),
        }
    }
}
