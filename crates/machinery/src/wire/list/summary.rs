//! The fields of a list other than its items.

use crate::Str;
use crate::wire::envelope::text;
use crate::wire::{DecodeError, Format, json, protobuf};

/// The fields of a list other than its items.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct ListSummary {
    /// The list's `apiVersion`.
    pub api_version: Str,
    /// The list's kind, such as `PodList`.
    pub kind: Str,
    /// `metadata` as on the wire: JSON text or a protobuf message; empty if the list has none.
    pub metadata: Vec<u8>,
    /// `metadata.resourceVersion`: the version to watch from.
    pub resource_version: Str,
    /// `metadata.continue`: the token of the next page; empty on the last.
    pub continue_token: Str,
    /// `metadata.remainingItemCount`, if the server sets it.
    pub remaining_item_count: Option<i64>,
    /// `metadata.shardInfo.selector`: the shard that the server has selected (KEP-5866); empty if it sent all objects.
    pub shard_selector: Str,
    /// How many items there were.
    pub items: usize,
}

/// The fields of a list that have been read so far.
#[derive(Debug, Default)]
pub(super) struct Head {
    pub(super) api_version: String,
    pub(super) kind: String,
    pub(super) metadata: Vec<u8>,
}

impl Head {
    pub(super) fn summary(self, format: Format, items: usize) -> Result<ListSummary, DecodeError> {
        let mut summary = ListSummary {
            api_version: self.api_version.into(),
            kind: self.kind.into(),
            items,
            ..ListSummary::default()
        };
        let read = match format {
            Format::Json => read_json(&self.metadata, &mut summary),
            Format::Protobuf => read_protobuf(&self.metadata, &mut summary),
        };
        read.map_err(|error| error.in_type("ListMeta"))?;
        summary.metadata = self.metadata;
        Ok(summary)
    }
}

fn read_json(metadata: &[u8], summary: &mut ListSummary) -> Result<(), DecodeError> {
    let mut reader = json::Reader::new(metadata);
    if reader.peek().is_none() || reader.take_null()? {
        return Ok(());
    }
    let mut first = true;
    reader.begin_object()?;
    while let Some(key) = reader.next_key(&mut first)? {
        match &*key {
            "resourceVersion" if !reader.take_null()? => {
                let text = reader.text().map_err(|error| error.in_field("resourceVersion"))?;
                summary.resource_version = Str::from(&*text);
            }
            "continue" if !reader.take_null()? => {
                let text = reader.text().map_err(|error| error.in_field("continue"))?;
                summary.continue_token = Str::from(&*text);
            }
            "remainingItemCount" if !reader.take_null()? => {
                let count = reader.integer().map_err(|error| error.in_field("remainingItemCount"))?;
                summary.remaining_item_count = Some(count);
            }
            "shardInfo" if !reader.take_null()? => {
                summary.shard_selector =
                    shard_json(&mut reader).map_err(|error| error.in_field("shardInfo"))?;
            }
            // A null has been taken.
            "resourceVersion" | "continue" | "remainingItemCount" | "shardInfo" => {}
            _ => reader.skip()?,
        }
    }
    reader.end()
}

fn shard_json(reader: &mut json::Reader<'_>) -> Result<Str, DecodeError> {
    let (mut selector, mut first) = (Str::EMPTY, true);
    reader.begin_object()?;
    while let Some(key) = reader.next_key(&mut first)? {
        match &*key {
            "selector" if !reader.take_null()? => selector = Str::from(&*reader.text()?),
            "selector" => {}
            _ => reader.skip()?,
        }
    }
    Ok(selector)
}

fn read_protobuf(metadata: &[u8], summary: &mut ListSummary) -> Result<(), DecodeError> {
    let mut reader = protobuf::Reader::new(metadata);
    while let Some((number, chunk)) = reader.next_field()? {
        match number {
            2 => {
                summary.resource_version =
                    text(chunk).map_err(|error| error.in_field("resourceVersion"))?.into();
            }
            3 => summary.continue_token = text(chunk).map_err(|error| error.in_field("continue"))?.into(),
            4 => {
                let count = chunk.varint().map_err(|error| error.in_field("remainingItemCount"))?;
                summary.remaining_item_count = Some(count.cast_signed());
            }
            5 => {
                let message = chunk.bytes().map_err(|error| error.in_field("shardInfo"))?;
                let mut shard = protobuf::Reader::new(message);
                while let Some((number, chunk)) = shard.next_field()? {
                    if number == 1 {
                        summary.shard_selector =
                            text(chunk).map_err(|error| error.in_field("shardInfo"))?.into();
                    }
                }
            }
            _ => {}
        }
    }
    Ok(())
}
