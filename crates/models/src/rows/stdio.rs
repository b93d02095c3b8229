//! `<stdio.h>` on the three standard streams, and errors as text.

use super::thread::CALLS_SUCCEED;
use super::{Table, module};
use crate::{Def, Effect, Fidelity, Module, Op, Text};

static STDIO: Module = module!("stdio");
static FORMAT: Module = module!("format");
static FORMAT_DOUBLE: Module = module!("format_double");
static PRINTF: Module = module!("printf");
static SCAN: Module = module!("scan");
static SCANF: Module = module!("scanf");
static ERRNO: Module = module!("errno");
static TMPNAM: Module = module!("tmpnam");

pub(super) fn add(table: &mut Table) {
    table.exact(&STDIO, "stdin stdout stderr");
    table.exact(&STDIO, "putchar putchar_unlocked putc _IO_putc putc_unlocked fputc fputc_unlocked putw");
    table.exact(&STDIO, "puts fputs fputs_unlocked fwrite fwrite_unlocked write perror");
    table.exact(&STDIO, "getchar getchar_unlocked getc _IO_getc getc_unlocked fgetc fgetc_unlocked getw");
    table.exact(&STDIO, "ungetc fgets fgets_unlocked gets fread fread_unlocked getline getdelim __getdelim");
    table.exact(&STDIO, "feof feof_unlocked clearerr clearerr_unlocked");
    table.add(Def::C(&STDIO), CALLS_SUCCEED, "ferror ferror_unlocked");
    table.op(Op::Uses("ferror ferror_unlocked"), "__braid_uses_ferror");
    table.exact(&STDIO, "fileno fileno_unlocked fflush fflush_unlocked");
    table.exact(&STDIO, "setvbuf setbuf setbuffer setlinebuf");
    table.exact(&STDIO, "read");
    let results = "__braid_printed __braid_printed_to __braid_printed_by_number __braid_part_printed __braid_part_written";
    table.add(Def::C(&STDIO), CALLS_SUCCEED, results);
    table.exact(&STDIO, "__braid_put __braid_get __braid_unget __braid_output_is_read");

    table.exact(&PRINTF, "printf fprintf dprintf sprintf snprintf asprintf");
    table.exact(&PRINTF, "vprintf vfprintf vdprintf vsprintf vsnprintf vasprintf");
    table.exact(&PRINTF, "__braid_unread_printf __braid_unread_fprintf");
    table.op(Op::Unsupported("printing to a stream that is not open for writing"), "__braid_odd_stream");
    table.exact(&PRINTF, "__printf_chk __fprintf_chk __sprintf_chk __snprintf_chk");
    table.exact(&PRINTF, "__vprintf_chk __vfprintf_chk __vsprintf_chk __vsnprintf_chk");
    table.exact(&PRINTF, "__braid_format_stream __braid_format_text");
    table.exact(&FORMAT, "__braid_format __braid_emit __braid_emit_times");
    table.exact(&FORMAT, "__braid_format_nothing");
    table.exact(&FORMAT_DOUBLE, "__braid_format_double");

    table.exact(&SCANF, "scanf fscanf sscanf vscanf vfscanf vsscanf");
    table.exact(&SCANF, "__isoc99_scanf __isoc99_fscanf __isoc99_sscanf");
    table.exact(&SCANF, "__isoc99_vscanf __isoc99_vfscanf __isoc99_vsscanf");
    table.exact(&SCANF, "__isoc23_scanf __isoc23_fscanf __isoc23_sscanf");
    table.exact(&SCANF, "__isoc23_vscanf __isoc23_vfscanf __isoc23_vsscanf");
    table.exact(&SCAN, "__braid_scan_stream __braid_scan_text");

    table.racing(&TMPNAM, "tmpnam_buffer", Fidelity::Exact, "tmpnam");
    table.exact(&TMPNAM, "tmpnam_r");

    table.exact(&ERRNO, "__errno_location strerror strerror_r __xpg_strerror_r");

    byte_effects(table);
    format_effects(table);
    result_effects(table);
}

/// Printing to a standard stream, or to the one that is this argument.
fn print(stream: Option<usize>, text: Text) -> Effect {
    Effect::Print { stream, text }
}

fn byte_effects(table: &mut Table) {
    table.effect(print(None, Text::Nothing), "putchar putchar_unlocked");
    let names = "putc _IO_putc putc_unlocked fputc fputc_unlocked putw";
    table.effect(print(Some(1), Text::Nothing), names);
    table.effect(print(Some(0), Text::Nothing), "fflush fflush_unlocked");
    table.effect(print(None, Text::String(0)), "puts perror");
    table.effect(print(Some(1), Text::String(0)), "fputs fputs_unlocked");
    let items = Text::Bytes { bytes: 0, size: 1, count: Some(2) };
    table.effect(print(Some(3), items), "fwrite fwrite_unlocked");
    table.effect(print(None, Text::Bytes { bytes: 1, size: 2, count: None }), "write");
}

fn format_effects(table: &mut Table) {
    let after = |format: usize| Text::Format { format, arguments: format + 1 };
    table.effect(print(None, after(0)), "printf __braid_unread_printf");
    table.effect(print(None, after(1)), "dprintf __printf_chk");
    table.effect(print(Some(0), after(1)), "fprintf __braid_unread_fprintf");
    table.effect(print(Some(0), after(2)), "__fprintf_chk");
}

/// What the results of printing pass through: some become failures, which a stream remembers.
fn result_effects(table: &mut Table) {
    let through = "__braid_printed __braid_printed_by_number __braid_part_written";
    table.effect(print(None, Text::Nothing), through);
    table.effect(print(Some(1), Text::Nothing), "__braid_printed_to __braid_part_printed");
}
