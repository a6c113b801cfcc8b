import { QuerentError, SqlError, type SqlErrorClass } from '../../../domain/errors.ts'
import type { ChildError } from '../child/fork.ts'
import { cleanDriverMessage, needsTooMuchMemory } from '../driver-errors.ts'

/**
 * DuckDB's error types (`ExceptionType` in its source). Each message begins with one, before any text of the
 * statement.
 */
const byType: ReadonlyMap<string, SqlErrorClass> = new Map([
  ['Parser', 'syntax'],
  ['Syntax', 'syntax'],
  ['Conversion', 'type-mismatch'],
  ['Mismatch Type', 'type-mismatch'],
  ['Invalid type', 'type-mismatch'],
  ['Permission', 'permission'],
  ['INTERRUPT', 'cancelled'],
  ['IO', 'connection'],
  ['Connection', 'connection'],
  ['FATAL', 'connection'],
])

/** Classes that the type alone does not tell, by the fixed words at the start of the message after it. */
const byMessage: readonly (readonly [type: string, RegExp, SqlErrorClass])[] = [
  ['Catalog', /^(Scalar|Aggregate|Table|Macro|Table Macro|Window) ?(Function|Macro) with name/i, 'function'],
  ['Catalog', /^\S+ is not (a|an) \w+ function/, 'function'],
  ['Catalog', /^(Table|View|Schema|Catalog) /, 'unknown-table'],
  ['Binder', /^Catalog "/, 'unknown-table'],
  ['Binder', /^Ambiguous reference to /, 'ambiguous-column'],
  ['Binder', /^Column name "[\s\S]*" is ambiguous/, 'ambiguous-column'],
  ['Binder', /^Referenced column "/, 'unknown-column'],
  ['Binder', /^(Table|Values list) "[\s\S]*" does not have a column named/, 'unknown-column'],
  ['Binder', /^Column "[\s\S]*" does not exist on (left|right) side of join/, 'unknown-column'],
  ['Binder', /^Column with name /, 'unknown-column'],
  ['Binder', /^Referenced table "/, 'unknown-table'],
  ['Binder', /^(WHERE|GROUP BY|JOIN|HAVING|QUALIFY) clause cannot contain/i, 'aggregation'],
  ['Binder', /^(aggregate|window) function calls cannot/i, 'aggregation'],
  ['Binder', /^column "?[\s\S]*"? must appear in the GROUP BY clause/i, 'aggregation'],
  ['Binder', /^Set operations can only apply/, 'syntax'],
  ['Binder', /^(ORDER|GROUP BY) term out of range/, 'syntax'],
  ['Binder', /^Subquery returns \d+ columns/, 'syntax'],
  ['Binder', /^Cannot (compare|mix|combine|cast|convert|deduce)/i, 'type-mismatch'],
  ['Binder', /^Could not choose a best candidate function/, 'function'],
  ['Binder', /^No function matches the given name and argument types '[^a-z]*\(/i, 'type-mismatch'],
  ['Binder', /^No function matches/, 'function'],
  ['Invalid Input', /^(Malformed JSON|Could not parse string|Failed to (cast|convert))/, 'type-mismatch'],
  ['Invalid Input', /^Cannot execute statement of type /, 'permission'],
  ['Invalid Input', /^Secret type /, 'permission'],
  ['Invalid Input', /^Cannot change configuration option/, 'permission'],
]

/** Extracting statements puts its own words in front. */
const withoutPrefix = (message: string): string => message.replace(/^Failed to extract statements: /, '')

const split = (message: string): readonly [type: string | null, words: string] => {
  const [, type, words] = /^([A-Za-z][A-Za-z ]{1,30}) Error: ([\s\S]*)$/.exec(withoutPrefix(message)) ?? []
  return type === undefined || words === undefined ? [null, message] : [type, words]
}

const classify = (type: string | null, words: string): SqlErrorClass =>
  type === null
    ? 'other'
    : (byType.get(type) ??
      byMessage.find(([of, pattern]) => of === type && pattern.test(words))?.[2] ??
      'other')

/** The line of the statement with an arrow below it, which makes no sense on one line. */
const withoutCaret = (words: string): string => words.replace(/\n+LINE \d+: [\s\S]*$/, '')

/** An internal error brings the calls that led to it, with the paths of libraries. */
const withoutStack = (words: string): string => words.replace(/\s*Stack Trace:[\s\S]*$/, '')

/** Absolute paths, of which a message keeps the file's name: the folders are nobody's business. */
const withoutFolders = (words: string): string =>
  words
    .replace(/(["'])\/[^"'\n]*\/([^"'/\n]+)\1/g, '$1$2$1')
    .replace(/(?<![^\s(=:,[])\/(?:[^\s"'/]+\/)+([^\s"'/]+)/g, '$1')

/**
 * Which statement broke the opened database. DuckDB answers nothing after a fatal error, nor after an internal one,
 * until it is opened again.
 */
export const brokenBy = ({ message }: ChildError): 'this-statement' | 'an-earlier-one' | null => {
  const [type, words] = split(message)
  if (type === 'FATAL' && /invalidated because of a previous fatal error/.test(words)) return 'an-earlier-one'
  return type === 'FATAL' || type === 'INTERNAL' ? 'this-statement' : null
}

/**
 * Describes an unreadable data file without quoting its rows: DuckDB's message repeats the whole line, and with it
 * values of columns that may be masked or hidden. Null for everything else.
 */
const unreadableFile = (words: string): string | null => {
  const line = /^CSV Error on Line: (\d+)/.exec(words)?.[1]
  if (line !== undefined) {
    const [, wanted, found] = /\nExpected Number of Columns: (\d+) Found: (\d+)\n/.exec(words) ?? []
    const [, column, type] = /\nColumn (.+) is being converted as type (\S+)\n/.exec(words) ?? []
    const why =
      wanted !== undefined
        ? `it has ${found} fields, and the others have ${wanted}`
        : column !== undefined
          ? `its field ${column} is no ${type}`
          : 'it is not written like the others'
    return `Line ${line} of a CSV file cannot be read: ${why}. Correct the file.`
  }
  const [, place] = /^JSON transform error in file "[^"]*", in ([a-z/]+ \d+):/.exec(words) ?? []
  return place === undefined
    ? null
    : `A JSON file cannot be read at ${place}: a value there has another type than in the others. Correct the file.`
}

/** A DuckDB message in words, with its paths. */
const describe = (type: string | null, words: string): string => {
  if (type === 'Out of Memory') return needsTooMuchMemory
  if (type !== 'INTERNAL') return unreadableFile(words) ?? withoutCaret(words)
  const [why = ''] = withoutStack(words).split('\n')
  return `DuckDB cannot run the statement because of an error of its own: ${why}. Ask for it in another way.`
}

/** A DuckDB error as an `SqlError`. `driverCode` is DuckDB's name of the type, such as `Binder`. */
export const toSqlError = ({ message }: ChildError): SqlError => {
  const [type, words] = split(message)
  const errorClass = unreadableFile(words) === null ? classify(type, words) : 'other'
  const said = cleanDriverMessage(withoutFolders(withoutStack(describe(type, words))))
  return new SqlError(errorClass, said, { driverCode: type })
}

/** Advice by fixed words of DuckDB's messages. */
const advice: readonly (readonly [RegExp, string])[] = [
  [
    /Could not set lock on file/,
    'Another program has it open for writing: close that program, or use a copy of the file.',
  ],
  [
    /newer version|version number|Serialization Error/i,
    'Another version of DuckDB wrote it: export it again.',
  ],
  [/WAL/, 'A program that wrote to it ended early: open it once with the duckdb shell, which repairs it.'],
  [
    /different numbers of fields/,
    'Give every line as many fields as the header has, put texts that contain the separator in double quotes, and delete what is above the header.',
  ],
  [/not utf-8 encoded/i, 'Save it again in UTF-8.'],
  [/sniff|CSV|dialect/i, 'Check that it is a text table with one row per line, in UTF-8.'],
  [/parquet|magic bytes/i, 'It is not a Parquet file, or only the beginning of one.'],
  [/json/i, 'It is not JSON: an array of objects, or one object per line.'],
  [/Unknown TimeZone/, 'Check time-zone in the configuration.'],
]

/** An error for a file that exists but that DuckDB cannot open, with advice. */
export const openError = (path: string, error: ChildError): QuerentError => {
  const next = advice.find(([pattern]) => pattern.test(error.message))?.[1]
  const why = cleanDriverMessage(withoutStack(describe(...split(error.message))))
  return new QuerentError(
    'database-unreachable',
    `DuckDB cannot open ${path}: ${why}. ${next ?? 'Check that this user can read it.'}`,
    { cause: toSqlError(error) },
  )
}
