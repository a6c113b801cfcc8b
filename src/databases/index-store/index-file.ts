import { createHash, randomUUID } from 'node:crypto'
import { mkdir, readFile, rename, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { deserialize, serialize } from 'node:v8'
import { constants, zstdCompress, zstdDecompress } from 'node:zlib'
import { z } from 'zod'
import type { Catalog } from '../../domain/catalog.ts'
import type { SkippedItem } from '../../domain/database.ts'
import {
  type PackedValueIndex,
  packValueIndex,
  unpackValueIndex,
  type ValueIndexData,
} from '../value-index/value-index-data.ts'
import type { IndexVersion } from './index-version.ts'

/** Increased whenever the form or meaning of stored data changes. Files of other versions are not read. */
const indexFormatVersion = 6

/** The part of opening a database that takes longest: its profiled catalog and its value index. */
export interface StoredIndex {
  readonly stamp: IndexVersion
  /** When it was last updated. */
  readonly savedAt: Date
  /** When the oldest of its measurements was made. */
  readonly measuredAt: Date
  readonly catalog: Catalog
  readonly values: ValueIndexData
  readonly leftOut: readonly SkippedItem[]
}

/**
 * Only the envelope is checked: zstd's checksum proves that we wrote the contents, and the version that they have
 * this form. Checking a million values one by one would take longer than reading them again.
 */
const envelope = z.object({
  version: z.literal(indexFormatVersion),
  stamp: z.object({
    schema: z.string(),
    tables: z.record(z.string(), z.string()),
    file: z.string().nullable(),
  }),
  savedAt: z.date(),
  measuredAt: z.date(),
  catalog: z.custom<Catalog>(value => typeof value === 'object' && value !== null),
  values: z.custom<PackedValueIndex>(value => typeof value === 'object' && value !== null),
  leftOut: z.array(z.object({ what: z.string(), why: z.string() })),
})

const compress = promisify(zstdCompress)

const decompress = promisify(zstdDecompress)

/** The chunk size: the usual 16 kB make a large index load several times as slowly. */
const chunkSize = 1024 * 1024

/** The fastest level: a million values are stored in a third of the time of gzip's fastest. */
const compression = {
  chunkSize,
  params: { [constants.ZSTD_c_compressionLevel]: 1, [constants.ZSTD_c_checksumFlag]: 1 },
}

/** The path of a database's index, named by a hash, since a reference can hold any character. */
export const indexPath = (folder: string, reference: string): string =>
  join(folder, `${createHash('sha256').update(reference).digest('hex').slice(0, 32)}.index`)

/** An index as bytes, small and with a checksum. */
export const packIndex = (index: StoredIndex): Promise<Buffer> =>
  compress(
    serialize({ version: indexFormatVersion, ...index, values: packValueIndex(index.values) }),
    compression,
  )

/** Reads a stored index. Null if there is none that can be used; then it is built again. */
export const readIndexFile = async (path: string): Promise<StoredIndex | null> => {
  try {
    return await unpackIndex(await readFile(path))
  } catch {
    return null
  }
}

/** Reads an index from its bytes. Null if this version did not write them. */
export const unpackIndex = async (bytes: Buffer): Promise<StoredIndex | null> => {
  try {
    const parsed = envelope.safeParse(deserialize(await decompress(bytes, { chunkSize })))
    return parsed.success ? { ...parsed.data, values: unpackValueIndex(parsed.data.values) } : null
  } catch {
    return null
  }
}

/**
 * Stores an index that only its owner can read, since it holds values of the database. The file is replaced
 * atomically; of two processes that store the same index the later one wins.
 */
export const writePackedIndex = async (path: string, packed: Buffer): Promise<void> => {
  await mkdir(join(path, '..'), { recursive: true, mode: 0o700 })
  const draft = `${path}.${randomUUID()}`
  try {
    await writeFile(draft, packed, { mode: 0o600 })
    await rename(draft, path)
  } catch (error) {
    await rm(draft, { force: true })
    throw error
  }
}
