//! Options whose value is data of one's own: `name=@FILE` stands for what is in the file.

use anyhow::{Context, Result, anyhow, bail};
use engine::games::ALL;
use std::borrow::Cow;
use std::path::Path;

/// The value of option `name` of `game`: as given, or, after an `@`, what the data file of that name says, which
/// is looked for in `folder`. What the file says becomes the value itself, so it goes into logs and manifests.
/// A game or an option that does not exist is left for others to refuse.
///
/// # Errors
/// A file that cannot be read or is wrong, an option that takes no file.
pub fn expand<'a>(game: &str, name: &str, value: &'a str, folder: &Path) -> Result<Cow<'a, str>> {
    let Some(file) = value.strip_prefix('@') else { return Ok(Cow::Borrowed(value)) };
    let info = ALL.iter().find(|info| info.name == game);
    let Some(option) = info.and_then(|info| info.options.iter().find(|o| o.name == name)) else {
        return Ok(Cow::Borrowed(value));
    };
    let Some(free) = option.free else {
        bail!(
            "option `{name}` of {game} is `{value}`, but takes no data file; expected {}",
            option.values.join(" or ")
        );
    };
    let path = folder.join(file);
    let text = std::fs::read_to_string(&path)
        .with_context(|| format!("option `{name}` of {game}: cannot read {}", path.display()))?;
    let value = (free.read)(&text)
        .map_err(|problem| anyhow!("option `{name}` of {game}, file {}: {problem}", path.display()))?;
    Ok(Cow::Owned(value))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_file_becomes_the_value_and_its_faults_are_shown() {
        let folder = tempfile::tempdir().unwrap();
        let text = include_str!("../../data/mchess/hot.toml");
        let write = |text: &str| std::fs::write(folder.path().join("own.toml"), text).unwrap();
        let read =
            |option| expand("mchess", option, "@own.toml", folder.path()).map_err(|e| format!("{e:#}"));
        write(text);
        assert_eq!(read("numbers").unwrap(), "hot");
        write(&text.replace("rook = 25", "rook = 26"));
        assert_eq!(read("numbers").unwrap(), "100-150-125-200-175-250/20-35-26-40/8-40-60-40");
        write(&text.replace("rook = 25", "rok = 25"));
        let message = read("numbers").unwrap_err();
        assert!(message.contains("own.toml") && message.contains("did you mean `rook`?"), "{message}");
        assert!(read("buffs").unwrap_err().contains("takes no data file"));
        let missing = expand("mchess", "numbers", "@none.toml", folder.path()).unwrap_err();
        assert!(format!("{missing:#}").contains("cannot read"), "{missing:#}");
        assert_eq!(expand("mchess", "numbers", "hot", folder.path()).unwrap(), "hot");
    }
}
