import { promisify } from 'node:util'
import { gunzip, gzip } from 'node:zlib'
import { QuerentError } from '../../core/errors.ts'
import type { Cell } from '../../core/result.ts'
import { decodeCell } from './decode-cell.ts'
import { encodeCell } from './encode-cell.ts'

type Rows = readonly (readonly Cell[])[]

const compress = promisify(gzip)
const decompress = promisify(gunzip)

/** Aim below the cap when rows have to be left out: later ones may compress less well than the first. */
const MARGIN = 0.9

/** Compresses rows into at most `maxBytes`: all of them, or as many from the top as fit. */
export const packRows = async (rows: Rows, maxBytes: number): Promise<{ body: Buffer; count: number }> => {
  let count = rows.length
  for (;;) {
    const encoded = rows.slice(0, count).map(row => row.map(encodeCell))
    const body = await compress(JSON.stringify(encoded), { level: 6 })
    if (body.byteLength <= maxBytes || count === 0) return { body, count }
    count = Math.min(count - 1, Math.floor((count * MARGIN * maxBytes) / body.byteLength))
  }
}

/** Reads rows that `packRows` wrote. */
export const unpackRows = async (body: Uint8Array): Promise<Cell[][]> => {
  const rows: unknown = JSON.parse((await decompress(body)).toString('utf8'))
  if (!Array.isArray(rows))
    throw new QuerentError('internal', 'the body of a saved result is not a list of rows')
  return rows.map((row: unknown) => {
    if (!Array.isArray(row))
      throw new QuerentError('internal', 'a row of a saved result is not a list of cells')
    return row.map(decodeCell)
  })
}
