import { QuerentError } from '../../../core/errors.ts'
import type { ChildError } from '../process/wire.ts'
import { cleanDriverMessage } from '../scrub-message.ts'
import { toSqlError } from './error-class.ts'

/** What to do, by fixed words of DuckDB's messages. */
const advice: readonly (readonly [RegExp, string])[] = [
  [
    /Could not set lock on file/,
    'Another program has it open for writing: close that one, or ask a copy of the file.',
  ],
  [
    /newer version|version number|Serialization Error/i,
    'Another version of DuckDB wrote it: export it anew.',
  ],
  [/WAL/, 'A program that wrote to it ended early: open it once with the duckdb shell, which repairs it.'],
  [
    /different numbers of fields/,
    'Give every line as many fields as the header has, put texts that hold the separator in double quotes, and take out what stands above the header.',
  ],
  [/not utf-8 encoded/i, 'Save it anew in UTF-8.'],
  [/sniff|CSV|dialect/i, 'Check that it is a table of text with one row a line, in UTF-8.'],
  [/parquet|magic bytes/i, 'It is no Parquet file, or only the beginning of one.'],
  [/json/i, 'It is no JSON: an array of objects, or one object a line.'],
  [/Unknown TimeZone/, 'Check time-zone in the configuration.'],
]

/** A database or file that is there but that DuckDB cannot open, in words that say what to do. */
export const openError = (path: string, error: ChildError): QuerentError => {
  const next = advice.find(([pattern]) => pattern.test(error.message))?.[1]
  const cause = toSqlError(error)
  return new QuerentError(
    'database-unreachable',
    `DuckDB cannot open ${path}: ${cleanDriverMessage(cause.message)}. ${next ?? 'Check that this user may read it.'}`,
    { cause },
  )
}
