//! The network file.
//!
//! All numbers are little-endian.
//!
//! | offset | bytes | contents |
//! |---|---|---|
//! | 0 | 8 | magic: `TabiyaNN` |
//! | 8 | 4 | format version: 3 |
//! | 12 | 4 | feature set: pieces on squares by king bucket, 1 mirrored, 2 not mirrored |
//! | 16 | 4 | activation: 1, SCReLU |
//! | 20 | 2 | QA: 255 |
//! | 22 | 2 | QB: 64 |
//! | 24 | 4 | scale |
//! | 28 | 2 | size N of the hidden layer |
//! | 30 | 2 | number T of neurons with threats |
//! | 32 | 1 | number K of king buckets |
//! | 33 | 1 | number B of output buckets |
//! | 34 | 32 | king bucket of a1, b1, c1, d1, a2 to d8 |
//! | 66 | 4 | length D of the description in bytes |
//! | 70 | D | description of the training, UTF-8 |
//! | | 4 | length Z of the compressed parameters in bytes |
//! | | Z | the parameters, compressed by DEFLATE without the header of zlib |
//! | | 4 | CRC-32 (as in zlib) of everything before |
//!
//! The parameters are
//!
//! | numbers | contents |
//! |---|---|
//! | 768 K N | feature weights, a row of N for each feature |
//! | 768 * 3 T | threat weights, a row of T for each threat feature |
//! | N | feature biases |
//! | 2 N B | output weights: for each bucket, N for the side to move and N for the opponent |
//! | B | output biases |
//!
//! All but the output biases are 16-bit numbers, stored as `2 n`, or `-2 n - 1` if n is negative: first the low bytes of all of
//! them, then the high bytes, nearly all of which are 0. That halves the file. The output biases follow, 4 bytes each.

use super::architecture::Architecture;
use super::error::NetworkError;
use super::king_buckets::KingBuckets;
use super::limits::{
    FEATURES_PER_BUCKET, FORMAT_VERSION, HIDDEN_STEP, MAX_DESCRIPTION_BYTES, MAX_HIDDEN, MAX_KING_BUCKETS,
    MAX_OUTPUT_BUCKETS, QA, QB, THREAT_FEATURES,
};
use super::network::{Network, Parameters};
use std::io::{self, Write};

/// The first bytes of a network file.
const MAGIC: &[u8; 8] = b"TabiyaNN";

/// The feature set with mirroring.
const MIRRORED: u32 = 1;

/// The feature set without mirroring.
const UNMIRRORED: u32 = 2;

/// The only activation function.
const SCRELU: u32 = 1;

/// The bytes before the description.
const HEADER_BYTES: usize = 70;

/// The bytes of the compressed parameters' length.
const LENGTH_BYTES: usize = 4;

/// The bytes of the checksum.
const CHECKSUM_BYTES: usize = 4;

/// The compression level, 0 to 10. Higher ones search for longer matches, of which there are hardly any.
const COMPRESSION_LEVEL: u8 = 9;

/// The largest length of a network file, in bytes: 52.6 MiB. Parameters that cannot be compressed grow by 5 bytes in 31 KiB.
pub const MAX_FILE_BYTES: u64 = (HEADER_BYTES
    + MAX_DESCRIPTION_BYTES
    + LENGTH_BYTES
    + MAX_PARAMETER_BYTES
    + MAX_PARAMETER_BYTES / 4096
    + CHECKSUM_BYTES) as u64;

const MAX_PARAMETER_BYTES: usize =
    2 * MAX_HIDDEN * (FEATURES_PER_BUCKET * MAX_KING_BUCKETS + THREAT_FEATURES + 1)
        + MAX_OUTPUT_BUCKETS * (4 * MAX_HIDDEN + 4);

impl Network {
    /// Reads a network from the contents of its file.
    ///
    /// # Errors
    /// If they are not those of a network file that this version supports, are damaged, or have weights with which a sum could
    /// overflow.
    pub fn read(bytes: &[u8]) -> Result<Network, NetworkError> {
        let mut reader = Reader { bytes, offset: 0 };
        let Header { architecture, description_bytes } = read_header(&mut reader)?;
        let description = reader.take(description_bytes)?;
        let parameter_bytes = reader.u32()? as usize;
        let contents_end = reader.offset.saturating_add(parameter_bytes);
        let expected = contents_end.saturating_add(CHECKSUM_BYTES) as u64;
        let found = bytes.len() as u64;
        if found < expected {
            return Err(NetworkError::Truncated { expected, found });
        }
        if found > expected {
            return Err(NetworkError::TrailingBytes { expected, found });
        }
        let stored = Reader { bytes, offset: contents_end }.u32()?;
        let computed = crc32fast::hash(&bytes[..contents_end]);
        if stored != computed {
            return Err(NetworkError::Checksum { stored, computed });
        }
        let description = std::str::from_utf8(description)
            .map_err(|error| NetworkError::Description { offset: HEADER_BYTES + error.valid_up_to() })?;
        let parameters = reader.take(parameter_bytes)?;
        let parameters = decompress(parameters, &architecture)?;
        Network::new(architecture, description, &parameters)
    }

    /// Writes the network's file.
    ///
    /// # Errors
    /// If the writer fails.
    pub fn write(&self, writer: &mut impl Write) -> io::Result<()> {
        writer.write_all(&file_bytes(self.architecture(), self.description(), &self.parameters()))
    }
}

/// Returns the contents of a file.
fn file_bytes(architecture: &Architecture, description: &str, parameters: &Parameters) -> Vec<u8> {
    let mut bytes = Vec::new();
    bytes.extend(MAGIC);
    let feature_set = if architecture.king_buckets().mirrors() { MIRRORED } else { UNMIRRORED };
    for number in [FORMAT_VERSION, feature_set, SCRELU] {
        bytes.extend(number.to_le_bytes());
    }
    for number in [QA, QB] {
        bytes.extend((number as u16).to_le_bytes());
    }
    bytes.extend(architecture.scale().to_le_bytes());
    bytes.extend((architecture.hidden() as u16).to_le_bytes());
    bytes.extend((architecture.threat_neurons() as u16).to_le_bytes());
    bytes.extend([architecture.king_buckets().count() as u8, architecture.output_buckets() as u8]);
    bytes.extend(architecture.king_buckets().map());
    bytes.extend((description.len() as u32).to_le_bytes());
    bytes.extend(description.as_bytes());
    let parameters = compress(parameters);
    bytes.extend((parameters.len() as u32).to_le_bytes());
    bytes.extend(parameters);
    bytes.extend(crc32fast::hash(&bytes).to_le_bytes());
    bytes
}

/// Returns the parameters as they stand in the file.
fn compress(parameters: &Parameters) -> Vec<u8> {
    let Parameters { feature_weights, threat_weights, feature_bias, output_weights, output_bias } =
        parameters;
    let numbers = || [feature_weights, threat_weights, feature_bias, output_weights].into_iter().flatten();
    let bytes = |index: usize| numbers().map(move |&number| zigzag(number).to_le_bytes()[index]);
    let biases = output_bias.iter().flat_map(|bias| bias.to_le_bytes());
    let contents: Vec<u8> = bytes(0).chain(bytes(1)).chain(biases).collect();
    miniz_oxide::deflate::compress_to_vec(&contents, COMPRESSION_LEVEL)
}

/// Returns the parameters that [`compress`] has stored.
fn decompress(compressed: &[u8], architecture: &Architecture) -> Result<Parameters, NetworkError> {
    let expected = architecture.parameter_bytes();
    let contents = miniz_oxide::inflate::decompress_to_vec_with_limit(compressed, expected)
        .map_err(|_| NetworkError::Compression { expected })?;
    if contents.len() != expected {
        return Err(NetworkError::Compression { expected });
    }
    let (hidden, outputs) = (architecture.hidden(), architecture.output_buckets());
    let (numbers, biases) = contents.split_at(contents.len() - 4 * outputs);
    let (low, high) = numbers.split_at(numbers.len() / 2);
    let mut numbers = low.iter().zip(high).map(|(&low, &high)| unzigzag(u16::from_le_bytes([low, high])));
    let mut take = |count| numbers.by_ref().take(count).collect();
    Ok(Parameters {
        feature_weights: take(architecture.features() * hidden),
        threat_weights: take(THREAT_FEATURES * architecture.threat_neurons()),
        feature_bias: take(hidden),
        output_weights: take(outputs * 2 * hidden),
        output_bias: biases.as_chunks().0.iter().map(|&bytes| i32::from_le_bytes(bytes)).collect(),
    })
}

/// Maps numbers of small magnitude to small numbers: 0, -1, 1, -2, 2 to 0, 1, 2, 3, 4.
fn zigzag(number: i16) -> u16 {
    ((number << 1) ^ (number >> 15)) as u16
}

/// The inverse of [`zigzag`].
fn unzigzag(number: u16) -> i16 {
    (number >> 1) as i16 ^ -((number & 1) as i16)
}

/// The fields before the description.
struct Header {
    architecture: Architecture,
    description_bytes: usize,
}

fn read_header(reader: &mut Reader<'_>) -> Result<Header, NetworkError> {
    let found = reader.bytes.len() as u64;
    // An incomplete header is "truncated" only if it belongs to a network.
    if !reader.bytes.starts_with(MAGIC) {
        return Err(NetworkError::Magic);
    }
    if found < HEADER_BYTES as u64 {
        return Err(NetworkError::Truncated { expected: HEADER_BYTES as u64, found });
    }
    reader.take(MAGIC.len())?;
    let version = reader.u32()?;
    if version != FORMAT_VERSION {
        return Err(NetworkError::Version { found: version });
    }
    let offset = reader.offset;
    let feature_set = reader.u32()?;
    if feature_set != UNMIRRORED {
        supported("feature set", offset, MIRRORED, feature_set)?;
    }
    reader.expect_u32("activation function", SCRELU)?;
    reader.expect_u16("QA", QA as u16)?;
    reader.expect_u16("QB", QB as u16)?;
    let scale = i32::from_le_bytes(reader.array()?);
    let hidden = usize::from(reader.u16()?);
    let threat_neurons = usize::from(reader.u16()?);
    let [king_bucket_count, output_buckets] = reader.array()?.map(usize::from);
    let king_buckets = KingBuckets::new(reader.array()?)?;
    let king_buckets =
        if feature_set == UNMIRRORED { king_buckets.without_mirroring() } else { king_buckets };
    let expected = king_buckets.count();
    if king_bucket_count != expected {
        return Err(NetworkError::KingBucketCount { expected, found: king_bucket_count });
    }
    let architecture =
        Architecture::new(hidden, king_buckets, output_buckets, scale)?.with_threats(threat_neurons)?;
    let description_bytes = reader.u32()?;
    if description_bytes as usize > MAX_DESCRIPTION_BYTES {
        return Err(NetworkError::DescriptionLength { found: description_bytes.into() });
    }
    Ok(Header { architecture, description_bytes: description_bytes as usize })
}

/// Bytes with the offset of the next one to be read.
struct Reader<'a> {
    bytes: &'a [u8],
    offset: usize,
}

impl<'a> Reader<'a> {
    fn take(&mut self, count: usize) -> Result<&'a [u8], NetworkError> {
        let end = self.offset.saturating_add(count);
        let truncated = NetworkError::Truncated { expected: end as u64, found: self.bytes.len() as u64 };
        let taken = self.bytes.get(self.offset..end).ok_or(truncated)?;
        self.offset = end;
        Ok(taken)
    }

    fn array<const N: usize>(&mut self) -> Result<[u8; N], NetworkError> {
        let mut array = [0; N];
        array.copy_from_slice(self.take(N)?);
        Ok(array)
    }

    fn u16(&mut self) -> Result<u16, NetworkError> {
        self.array().map(u16::from_le_bytes)
    }

    fn u32(&mut self) -> Result<u32, NetworkError> {
        self.array().map(u32::from_le_bytes)
    }

    fn expect_u16(&mut self, field: &'static str, expected: u16) -> Result<(), NetworkError> {
        let offset = self.offset;
        let found = self.u16()?;
        supported(field, offset, expected.into(), found.into())
    }

    fn expect_u32(&mut self, field: &'static str, expected: u32) -> Result<(), NetworkError> {
        let offset = self.offset;
        let found = self.u32()?;
        supported(field, offset, expected, found)
    }
}

fn supported(field: &'static str, offset: usize, expected: u32, found: u32) -> Result<(), NetworkError> {
    if found == expected { Ok(()) } else { Err(NetworkError::Unsupported { field, offset, expected, found }) }
}

const _: () = assert!(MAX_HIDDEN <= u16::MAX as usize && MAX_HIDDEN.is_multiple_of(HIDDEN_STEP));

#[cfg(test)]
mod tests {
    use super::*;
    use crate::nnue::ArchitectureError;
    use crate::nnue::test_data::random_network;

    fn network() -> Network {
        let map = std::array::from_fn(|square| (square / 16) as u8);
        let buckets = KingBuckets::new(map).expect("two buckets");
        let plain = Architecture::new(64, buckets, 3, 361).expect("valid sizes");
        random_network(plain.with_threats(32).expect("half of the neurons"), 7)
    }

    fn file() -> Vec<u8> {
        let mut bytes = Vec::new();
        network().write(&mut bytes).expect("a Vec takes everything");
        bytes
    }

    #[test]
    fn networks_without_mirroring_round_trip() {
        let buckets = KingBuckets::single().without_mirroring();
        let network = random_network(Architecture::new(32, buckets, 1, 400).expect("valid sizes"), 7);
        let mut bytes = Vec::new();
        network.write(&mut bytes).expect("a Vec takes everything");
        assert_eq!(Network::read(&bytes).as_ref(), Ok(&network));
        assert_eq!(network.architecture().to_string(), "(768x1 -> 32)x2 -> 1x1");
    }

    /// Replaces the checksum of a file by the right one.
    fn update_checksum(file: &mut [u8]) {
        let end = file.len() - CHECKSUM_BYTES;
        let sum = crc32fast::hash(&file[..end]);
        file[end..].copy_from_slice(&sum.to_le_bytes());
    }

    /// Reads a file with other bytes at an offset and, if `checksum` is true, the right checksum for them.
    fn read_changed(offset: usize, bytes: &[u8], checksum: bool) -> Result<Network, NetworkError> {
        let mut file = file();
        file[offset..][..bytes.len()].copy_from_slice(bytes);
        if checksum {
            update_checksum(&mut file);
        }
        Network::read(&file)
    }

    #[test]
    fn round_trip() {
        let network = network();
        assert_eq!(Network::read(&file()), Ok(network.clone()));
        assert_eq!(network.architecture().scale(), 361);
        assert_eq!(network.architecture().parameter_bytes(), 196_608 + 147_456 + 128 + 768 + 12);
        assert!(file().len() < 3 * network.architecture().parameter_bytes() / 4, "they are compressed");
        let parameters = network.parameters();
        let same = Network::new(network.architecture().clone(), network.description(), &parameters);
        assert_eq!(same, Ok(network));
    }

    #[test]
    #[cfg_attr(miri, ignore = "slow and without unsafe code")]
    fn each_field_of_the_header_is_checked() {
        let unsupported =
            |field, offset, expected, found| NetworkError::Unsupported { field, offset, expected, found };
        let architecture = NetworkError::Architecture;
        let cases: &[(usize, &[u8], NetworkError)] = &[
            (0, b"TABIYANN", NetworkError::Magic),
            (8, &[2, 0, 0, 0], NetworkError::Version { found: 2 }),
            (8, &[4, 0, 0, 0], NetworkError::Version { found: 4 }),
            (12, &[3, 0, 0, 0], unsupported("feature set", 12, 1, 3)),
            (16, &[0, 0, 0, 1], unsupported("activation function", 16, 1, 1 << 24)),
            (20, &[0, 1], unsupported("QA", 20, 255, 256)),
            (22, &[128, 0], unsupported("QB", 22, 64, 128)),
            (24, &[0; 4], architecture(ArchitectureError::Scale { found: 0 })),
            (24, &[255; 4], architecture(ArchitectureError::Scale { found: -1 })),
            (28, &[33, 0], architecture(ArchitectureError::Hidden { found: 33 })),
            (28, &[0, 5], architecture(ArchitectureError::Hidden { found: 1280 })),
            (30, &[33, 0], architecture(ArchitectureError::ThreatNeurons { found: 33, hidden: 64 })),
            (30, &[96, 0], architecture(ArchitectureError::ThreatNeurons { found: 96, hidden: 64 })),
            (32, &[3], NetworkError::KingBucketCount { expected: 2, found: 3 }),
            (33, &[17], architecture(ArchitectureError::OutputBuckets { found: 17 })),
            (35, &[99], architecture(ArchitectureError::KingBucket { square: 1, found: 99 })),
            (35, &[3], architecture(ArchitectureError::UnusedKingBucket { bucket: 2 })),
            (66, &[255; 4], NetworkError::DescriptionLength { found: u32::MAX.into() }),
        ];
        for &(offset, bytes, expected) in cases {
            assert_eq!(read_changed(offset, bytes, true), Err(expected), "byte {offset}");
        }
    }

    #[test]
    #[cfg_attr(miri, ignore = "slow and without unsafe code")]
    fn contents_are_checked() {
        let error = read_changed(HEADER_BYTES + 2, &[0xFF], true);
        assert_eq!(error, Err(NetworkError::Description { offset: HEADER_BYTES + 2 }));
        let read = |change: fn(&mut Parameters)| {
            let network = network();
            let mut parameters = network.parameters();
            change(&mut parameters);
            Network::read(&file_bytes(network.architecture(), network.description(), &parameters))
        };
        let error = read(|parameters| parameters.feature_weights[0] = i16::MIN);
        assert_eq!(error, Err(NetworkError::AccumulatorOverflow { king_bucket: 0, neuron: 0 }));
        let error = read(|parameters| parameters.threat_weights[5] = i16::MIN);
        assert_eq!(error, Err(NetworkError::ThreatWeight { index: 5, found: i16::MIN }));
        let error = read(|parameters| parameters.output_weights[64] = 128);
        assert_eq!(error, Err(NetworkError::OutputWeight { index: 64, found: 128 }));
    }

    #[test]
    fn compressed_parameters_are_checked() {
        let length = HEADER_BYTES + network().description().len();
        let expected = network().architecture().parameter_bytes();
        let read = |contents: &[u8]| {
            let mut file = file()[..length].to_vec();
            file.extend((contents.len() as u32).to_le_bytes());
            file.extend(contents);
            file.extend([0; CHECKSUM_BYTES]);
            update_checksum(&mut file);
            Network::read(&file)
        };
        let zeros = |count| miniz_oxide::deflate::compress_to_vec(&vec![0; count], COMPRESSION_LEVEL);
        assert!(read(&zeros(expected)).is_ok());
        for contents in [zeros(expected - 1), zeros(expected + 1), zeros(1 << 24), b"?".to_vec(), Vec::new()]
        {
            assert_eq!(read(&contents), Err(NetworkError::Compression { expected }));
        }
    }

    #[test]
    fn zigzag_is_reversible() {
        assert_eq!([0, -1, 1, -2, 2, i16::MAX, i16::MIN].map(zigzag), [0, 1, 2, 3, 4, 65_534, 65_535]);
        assert!((i16::MIN..=i16::MAX).all(|number| unzigzag(zigzag(number)) == number));
    }

    #[test]
    #[cfg_attr(miri, ignore = "slow and without unsafe code")]
    fn every_changed_byte_is_noticed() {
        let (file, architecture) = (file(), network().architecture().clone());
        for offset in (0..HEADER_BYTES).chain((HEADER_BYTES..file.len()).step_by(97)).chain([file.len() - 1])
        {
            let mut changed = file.clone();
            changed[offset] ^= 0x10;
            let result = Network::read(&changed);
            assert!(result.is_err(), "byte {offset}, {architecture}");
        }
        let error = read_changed(HEADER_BYTES, b"?", false);
        assert!(matches!(error, Err(NetworkError::Checksum { .. })), "{error:?}");
    }

    #[test]
    #[cfg_attr(miri, ignore = "slow and without unsafe code")]
    fn every_truncation_is_noticed() {
        let file = file();
        let description = HEADER_BYTES + network().description().len();
        let found = |bytes: &[u8]| Network::read(bytes).expect_err("a file that ends early");
        for length in (0..file.len()).filter(|length| *length < 200 || length % 997 == 0) {
            let expected = match length {
                0..8 => NetworkError::Magic,
                8..HEADER_BYTES => {
                    NetworkError::Truncated { expected: HEADER_BYTES as u64, found: length as u64 }
                }
                _ if length < description => {
                    NetworkError::Truncated { expected: description as u64, found: length as u64 }
                }
                _ if length < description + LENGTH_BYTES => NetworkError::Truncated {
                    expected: (description + LENGTH_BYTES) as u64,
                    found: length as u64,
                },
                _ => NetworkError::Truncated { expected: file.len() as u64, found: length as u64 },
            };
            assert_eq!(found(&file[..length]), expected);
        }
        let mut longer = file.clone();
        longer.push(0);
        let (expected, length) = (file.len() as u64, longer.len() as u64);
        assert_eq!(found(&longer), NetworkError::TrailingBytes { expected, found: length });
    }

    #[test]
    fn largest_network_fits_the_limit() {
        let map = std::array::from_fn(|square| square as u8);
        let buckets = KingBuckets::new(map).expect("all buckets");
        let largest = Architecture::new(MAX_HIDDEN, buckets, MAX_OUTPUT_BUCKETS, 400)
            .and_then(|plain| plain.with_threats(MAX_HIDDEN))
            .expect("valid sizes");
        assert_eq!(largest.parameter_bytes(), MAX_PARAMETER_BYTES);
    }

    #[test]
    fn random_bytes_grow_by_less_than_the_limit_allows() {
        let mut random = tabiya_core::SplitMix64::new(3);
        let bytes: Vec<u8> = (0..100_000).map(|_| random.next_u64() as u8).collect();
        let compressed = miniz_oxide::deflate::compress_to_vec(&bytes, COMPRESSION_LEVEL);
        assert!(compressed.len() <= bytes.len() + bytes.len() / 4096, "{}", compressed.len());
    }

    #[test]
    #[cfg_attr(miri, ignore = "slow and without unsafe code")]
    fn messages_name_what_was_expected() {
        let message =
            |offset, bytes: &[u8]| read_changed(offset, bytes, true).expect_err("invalid").to_string();
        assert_eq!(message(8, &[9]), "format version 9 is unknown (expected 3)");
        assert_eq!(message(20, &[0, 1]), "QA (byte 20) is 256, which is not supported (expected 255)");
        let hidden = "unsupported architecture: hidden layer of 33 (expected a multiple of 32 up to 1024)";
        assert_eq!(message(28, &[33]), hidden);
    }
}
