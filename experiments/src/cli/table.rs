//! Plain aligned tables.

use std::io::{self, Write};

/// Writes rows under a header, columns as wide as their widest cell. The last column is not padded.
pub fn write(out: &mut dyn Write, header: &[&str], rows: &[Vec<String>]) -> io::Result<()> {
    let mut widths: Vec<usize> = header.iter().map(|h| h.chars().count()).collect();
    for row in rows {
        for (width, cell) in widths.iter_mut().zip(row) {
            *width = (*width).max(cell.chars().count());
        }
    }
    let mut line = |cells: &[&str]| -> io::Result<()> {
        let mut text = String::new();
        for (cell, width) in cells.iter().zip(&widths) {
            text += &format!("{cell:<width$}  ");
        }
        writeln!(out, "{}", text.trim_end())
    };
    line(header)?;
    for row in rows {
        line(&row.iter().map(String::as_str).collect::<Vec<_>>())?;
    }
    Ok(())
}
