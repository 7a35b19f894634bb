/** The compression types of the record format; the index is the number in a batch's attributes. */
export const compressions = ['none', 'gzip', 'snappy', 'lz4', 'zstd'] as const;

/** One of `compressions`. */
export type Compression = (typeof compressions)[number];
