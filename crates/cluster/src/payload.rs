//! Values of any type on their way: the sender and the reader know the type, the connection does not.

use search::wire::Damaged;
use serde::de::DeserializeOwned;
use serde::{Deserialize, Deserializer, Serialize, Serializer};

/// A value in postcard's form.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Payload(pub(crate) Vec<u8>);

impl Payload {
    /// The bytes of a value; or why it has none, such as a path that is no text.
    pub fn new<T: Serialize + ?Sized>(value: &T) -> Result<Payload, String> {
        postcard::to_allocvec(value).map(Payload).map_err(|error| error.to_string())
    }

    /// The value, if the bytes stand for one of this type and nothing else.
    pub fn read<T: DeserializeOwned>(&self) -> Result<T, Damaged> {
        parse(&self.0)
    }
}

/// The value that bytes stand for.
pub(crate) fn parse<'a, T: Deserialize<'a>>(bytes: &'a [u8]) -> Result<T, Damaged> {
    match postcard::take_from_bytes(bytes) {
        Ok((value, [])) => Ok(value),
        Ok(_) => Err(Damaged("end")),
        Err(_) => Err(Damaged("value")),
    }
}

impl Serialize for Payload {
    fn serialize<S: Serializer>(&self, out: S) -> Result<S::Ok, S::Error> {
        out.serialize_bytes(&self.0)
    }
}

impl<'de> Deserialize<'de> for Payload {
    fn deserialize<D: Deserializer<'de>>(input: D) -> Result<Payload, D::Error> {
        <&[u8]>::deserialize(input).map(|bytes| Payload(bytes.to_vec()))
    }
}

/// Serde's form of values that travel by their names: `#[serde(with = "by_name")]`.
pub mod by_name {
    use serde::{Deserialize, Deserializer, Serializer, de::Error};
    use std::fmt::Display;
    use std::str::FromStr;

    /// The name of a value.
    pub fn serialize<T: Display, S: Serializer>(value: &T, out: S) -> Result<S::Ok, S::Error> {
        out.collect_str(value)
    }

    /// The value of a name.
    pub fn deserialize<'de, T: FromStr, D: Deserializer<'de>>(input: D) -> Result<T, D::Error> {
        let name = <&str>::deserialize(input)?;
        name.parse().map_err(|_| D::Error::custom("a name that is not known"))
    }
}
