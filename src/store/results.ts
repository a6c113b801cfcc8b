import { randomUUID } from 'node:crypto'
import { promisify } from 'node:util'
import { gunzip, gzip } from 'node:zlib'
import { QuerentError } from '../domain/errors.ts'
import type { Cell, LoadResult, LoadResultHeads, ResultKey, SaveResult } from '../domain/result.ts'
import type { SavedResults } from './repositories/saved-results.ts'

/** Rows stored uncompressed: enough for a message, and for a look with psql. */
const HEAD_ROWS = 50

/** How much of a result is stored, and for how long. */
export interface ResultLimits {
  /** Size of the compressed body; rows beyond it are left out, and the result says so. */
  readonly maxBodyBytes: number
  readonly keepMs: number
}

/** Five megabytes, for a week. */
export const defaultResultLimits: ResultLimits = {
  maxBodyBytes: 5 * 1024 * 1024,
  keepMs: 7 * 24 * 60 * 60 * 1000,
}

/** Saves the rows of a run: hash, first rows and a compressed body, until they expire. */
export const makeSaveResult =
  (deps: {
    readonly savedResults: SavedResults
    readonly resultKey: ResultKey
    readonly now: () => Date
    readonly limits?: ResultLimits
  }): SaveResult =>
  async (questionId, table) => {
    const { maxBodyBytes, keepMs } = deps.limits ?? defaultResultLimits
    const { body, count } = await packRows(table.rows, maxBodyBytes)
    const id = randomUUID()
    await deps.savedResults.insert({
      id,
      questionId,
      canonicalHash: deps.resultKey(table, { ordered: false }),
      columns: table.columns,
      head: table.rows.slice(0, HEAD_ROWS).map(row => row.map(encodeCell)),
      body,
      bodyRowCount: count,
      rowCount: table.rows.length,
      truncated: count < table.rows.length ? 'bytes' : table.truncated,
      milliseconds: table.milliseconds,
      expiresAt: new Date(deps.now().getTime() + keepMs),
    })
    return id
  }

/** The format of a UUID: any other id names nothing stored here, and Postgres would throw. */
const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i

/** Reads a saved result with every cell as it was, or null if it has expired. */
export const makeLoadResult =
  (deps: { readonly savedResults: SavedResults; readonly now: () => Date }): LoadResult =>
  async resultId => {
    const saved = UUID.test(resultId) ? await deps.savedResults.find(resultId) : null
    if (!saved || saved.expiresAt <= deps.now()) return null
    return {
      columns: saved.columns,
      rows: await unpackRows(saved.body),
      truncated: saved.truncated,
      milliseconds: saved.milliseconds,
    }
  }

/** Reads first rows. They are stored separately, so no body has to be unpacked. */
export const makeLoadHeads =
  (deps: { readonly savedResults: SavedResults; readonly now: () => Date }): LoadResultHeads =>
  async (resultIds, rows) => {
    const found = await deps.savedResults.findHeads(resultIds, rows, deps.now())
    return new Map(
      found.map(({ id, columns, rowCount, head }) => [
        id,
        { columns, rowCount, rows: head.map(row => row.map(decodeCell)) },
      ]),
    )
  }

type Rows = readonly (readonly Cell[])[]

const compress = promisify(gzip)

const decompress = promisify(gunzip)

/** Aims below the cap when rows must be left out: later rows may compress less well. */
const MARGIN = 0.9

/** Compresses rows into at most `maxBytes`: all of them, or as many from the top as fit. */
const packRows = async (rows: Rows, maxBytes: number): Promise<{ body: Buffer; count: number }> => {
  let count = rows.length
  for (;;) {
    const encoded = rows.slice(0, count).map(row => row.map(encodeCell))
    const body = await compress(JSON.stringify(encoded), { level: 6 })
    if (body.byteLength <= maxBytes || count === 0) return { body, count }
    count = Math.min(count - 1, Math.floor((count * MARGIN * maxBytes) / body.byteLength))
  }
}

/** Reads rows that `packRows` wrote. */
const unpackRows = async (body: Uint8Array): Promise<Cell[][]> => {
  const rows: unknown = JSON.parse((await decompress(body)).toString('utf8'))
  if (!Array.isArray(rows))
    throw new QuerentError('internal', 'the body of a saved result is not a list of rows')
  return rows.map((row: unknown) => {
    if (!Array.isArray(row))
      throw new QuerentError('internal', 'a row of a saved result is not a list of cells')
    return row.map(decodeCell)
  })
}

/**
 * A cell as JSON. Null, booleans, text and most numbers are themselves; the rest are objects with one field: `i` for an
 * integer beyond 2^53, `b` for bytes in base64, `n` for a number JSON cannot write.
 */
export type EncodedCell =
  | null
  | boolean
  | number
  | string
  | { readonly i: string }
  | { readonly b: string }
  | { readonly n: 'NaN' | 'Infinity' | '-Infinity' | '-0' }

/** Encodes a cell so that `decodeCell` returns the same cell. */
const encodeCell = (cell: Cell): EncodedCell => {
  if (typeof cell === 'bigint') return { i: cell.toString() }
  if (cell instanceof Uint8Array) return { b: Buffer.from(cell).toString('base64') }
  if (typeof cell === 'number') {
    if (Object.is(cell, -0)) return { n: '-0' }
    if (Number.isNaN(cell)) return { n: 'NaN' }
    if (!Number.isFinite(cell)) return { n: cell > 0 ? 'Infinity' : '-Infinity' }
  }
  return cell
}

const NUMBERS: Readonly<Record<string, number>> = { NaN, Infinity, '-Infinity': -Infinity, '-0': -0 }

/**
 * Decodes a cell that `encodeCell` wrote. Throws `internal` on anything else. Checked by hand, because there may be
 * millions.
 */
const decodeCell = (encoded: unknown): Cell => {
  if (encoded === null) return null
  switch (typeof encoded) {
    case 'boolean':
    case 'number':
    case 'string':
      return encoded
    case 'object': {
      const { i, b, n } = encoded as { i?: unknown; b?: unknown; n?: unknown }
      if (typeof i === 'string' && /^-?\d+$/.test(i)) return BigInt(i)
      if (typeof b === 'string') return new Uint8Array(Buffer.from(b, 'base64'))
      const number = typeof n === 'string' ? NUMBERS[n] : undefined
      if (number !== undefined) return number
    }
  }
  throw new QuerentError('internal', `a saved result has a cell that cannot be read: ${typeof encoded}`)
}
