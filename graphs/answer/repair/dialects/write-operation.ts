import type { Dialect } from '../../../../src/domain/sql.ts'
import { formatDatePattern, type Operation, type Unit, type WriteOperation } from './operation.ts'

/** Writes an operation in a dialect; null where it has no way to say it. */
export const writeOperation = (operation: Operation, dialect: Dialect): string | null => {
  if (operation.does === 'call') return `${operation.name}(${operation.args.join(', ')})`
  if (operation.does === 'choose') {
    const { when, then, otherwise } = operation
    return `CASE WHEN ${when} THEN ${then} ELSE ${otherwise} END`
  }
  return writers[dialect](operation)
}

const quoted = (pattern: string | null): string | null =>
  pattern === null ? null : `'${pattern.replaceAll("'", "''")}'`

const patterned = (
  pattern: string,
  notation: Parameters<typeof formatDatePattern>[1],
  write: (quotedPattern: string) => string,
): string | null => {
  const text = quoted(formatDatePattern(pattern, notation))
  return text === null ? null : write(text)
}

const distinct = (isDistinct: boolean): string => (isDistinct ? 'DISTINCT ' : '')

const secondsIn: Readonly<Partial<Record<Unit, number>>> = { hour: 3600, minute: 60, second: 1 }

const sqliteLetters: Readonly<Partial<Record<Unit, string>>> = {
  year: '%Y',
  month: '%m',
  week: '%W',
  day: '%d',
  hour: '%H',
  minute: '%M',
  second: '%S',
}

const sqlitePart = (unit: Unit, of: string): string | null => {
  if (unit === 'quarter') return `((${sqlitePart('month', of)} + 2) / 3)`
  return `CAST(strftime('${sqliteLetters[unit]}', ${of}) AS INTEGER)`
}

const sqliteDifference = ({
  unit,
  from,
  to,
  counts,
}: Extract<Operation, { does: 'difference' }>): string | null => {
  const seconds = secondsIn[unit]
  if (seconds !== undefined) return `((strftime('%s', ${to}) - strftime('%s', ${from})) / ${seconds})`
  if (unit === 'day') return `CAST(julianday(date(${to})) - julianday(date(${from})) AS INTEGER)`
  if (unit === 'year')
    return counts === 'changes'
      ? `(strftime('%Y', ${to}) - strftime('%Y', ${from}))`
      : `CAST(strftime('%Y.%m%d', ${to}) - strftime('%Y.%m%d', ${from}) AS INTEGER)`
  if (unit !== 'month') return null
  const months = `(strftime('%Y', ${to}) - strftime('%Y', ${from})) * 12 + strftime('%m', ${to}) - strftime('%m', ${from})`
  return counts === 'changes'
    ? `(${months})`
    : `(${months} - (strftime('%d', ${to}) < strftime('%d', ${from})))`
}

const sqliteTruncated: Readonly<Partial<Record<Unit, string>>> = {
  year: '%Y-01-01',
  month: '%Y-%m-01',
  day: '%Y-%m-%d',
  hour: '%Y-%m-%d %H:00:00',
}

const toSqlite: WriteOperation = operation => {
  switch (operation.does) {
    case 'part':
      return sqlitePart(operation.unit, operation.of)
    case 'format':
      return patterned(operation.pattern, 'sqlite', pattern => `strftime(${pattern}, ${operation.of})`)
    case 'truncate': {
      const pattern = sqliteTruncated[operation.unit]
      return pattern === undefined ? null : `strftime('${pattern}', ${operation.of})`
    }
    case 'difference':
      return sqliteDifference(operation)
    case 'shift': {
      const { unit, amount, of } = operation
      if (unit === 'quarter' || unit === 'week') return null
      const name = secondsIn[unit] === undefined ? 'date' : 'datetime'
      return `${name}(${of}, '${amount < 0 ? '' : '+'}${amount} ${unit}s')`
    }
    case 'today':
      return "date('now')"
    case 'now':
      return "datetime('now')"
    case 'join-texts':
      return operation.isDistinct ? null : `group_concat(${operation.of}, ${operation.separator})`
    case 'find':
      return `instr(${operation.within}, ${operation.text})`
    case 'beginning':
      return `substr(${operation.of}, 1, ${operation.length})`
    case 'ending':
      return `substr(${operation.of}, -${operation.length})`
    default:
      return null
  }
}

const timestamp = (of: string): string => `CAST(${of} AS timestamp)`

const postgresDifference = ({
  unit,
  from,
  to,
  counts,
}: Extract<Operation, { does: 'difference' }>): string | null => {
  const seconds = secondsIn[unit]
  if (seconds !== undefined)
    return `TRUNC(EXTRACT(EPOCH FROM (${timestamp(to)} - ${timestamp(from)})) / ${seconds})`
  if (unit === 'day') return `(CAST(${to} AS date) - CAST(${from} AS date))`
  const part = (name: 'YEAR' | 'MONTH', of: string): string => `EXTRACT(${name} FROM ${of})`
  const passed = `age(${timestamp(to)}, ${timestamp(from)})`
  const years =
    counts === 'whole'
      ? part('YEAR', passed)
      : `(${part('YEAR', timestamp(to))} - ${part('YEAR', timestamp(from))})`
  if (unit === 'year') return years
  if (unit !== 'month') return null
  return counts === 'whole'
    ? `(${years} * 12 + ${part('MONTH', passed)})`
    : `(${years} * 12 + ${part('MONTH', timestamp(to))} - ${part('MONTH', timestamp(from))})`
}

const toPostgres: WriteOperation = operation => {
  switch (operation.does) {
    case 'part':
      return `CAST(EXTRACT(${operation.unit.toUpperCase()} FROM ${timestamp(operation.of)}) AS integer)`
    case 'format':
      return patterned(
        operation.pattern,
        'to_char',
        pattern => `to_char(${timestamp(operation.of)}, ${pattern})`,
      )
    case 'truncate':
      return `date_trunc('${operation.unit}', ${timestamp(operation.of)})`
    case 'difference':
      return postgresDifference(operation)
    case 'shift':
      return `(${timestamp(operation.of)} + INTERVAL '${operation.amount} ${operation.unit}s')`
    case 'julian':
      return `EXTRACT(JULIAN FROM ${timestamp(operation.of)})`
    case 'today':
      return 'CURRENT_DATE'
    case 'now':
      return 'now()'
    case 'join-texts':
      return `string_agg(${distinct(operation.isDistinct)}CAST(${operation.of} AS text), ${operation.separator})`
    case 'find':
      return `strpos(${operation.within}, ${operation.text})`
    case 'round':
      return `ROUND(CAST(${operation.of} AS numeric), ${operation.digits})`
    default:
      return null
  }
}

const toMysql: WriteOperation = operation => {
  switch (operation.does) {
    case 'part':
      return `EXTRACT(${operation.unit.toUpperCase()} FROM ${operation.of})`
    case 'format':
      return patterned(
        operation.pattern,
        'date_format',
        pattern => `DATE_FORMAT(${operation.of}, ${pattern})`,
      )
    case 'truncate': {
      const pattern = sqliteTruncated[operation.unit]
      return pattern === undefined ? null : `DATE_FORMAT(${operation.of}, '${pattern.replace('%M', '%i')}')`
    }
    case 'difference': {
      const { unit, from, to, counts } = operation
      if (counts === 'whole') return `TIMESTAMPDIFF(${unit.toUpperCase()}, ${from}, ${to})`
      if (unit === 'day') return `DATEDIFF(${to}, ${from})`
      return unit === 'year' ? `(YEAR(${to}) - YEAR(${from}))` : null
    }
    case 'shift':
      return `(${operation.of} + INTERVAL ${operation.amount} ${operation.unit.toUpperCase()})`
    // Day 0 of TO_DAYS is day 1721059.5 of the Julian count.
    case 'julian':
      return `(TO_DAYS(${operation.of}) + 1721059.5)`
    case 'today':
      return 'CURDATE()'
    case 'now':
      return 'NOW()'
    case 'join-texts':
      return `GROUP_CONCAT(${distinct(operation.isDistinct)}${operation.of} SEPARATOR ${operation.separator})`
    case 'find':
      return `INSTR(${operation.within}, ${operation.text})`
    default:
      return null
  }
}

const toDuckdb: WriteOperation = operation => {
  switch (operation.does) {
    case 'part':
      return `EXTRACT(${operation.unit.toUpperCase()} FROM ${timestamp(operation.of)})`
    case 'format':
      return patterned(
        operation.pattern,
        'strftime',
        pattern => `strftime(${timestamp(operation.of)}, ${pattern})`,
      )
    case 'truncate':
      return `date_trunc('${operation.unit}', ${timestamp(operation.of)})`
    case 'difference': {
      const { unit, from, to, counts } = operation
      const name = counts === 'whole' ? 'date_sub' : 'date_diff'
      return `${name}('${unit}', ${timestamp(from)}, ${timestamp(to)})`
    }
    case 'shift':
      return `(${timestamp(operation.of)} + INTERVAL '${operation.amount} ${operation.unit}s')`
    case 'julian':
      return `julian(${timestamp(operation.of)})`
    case 'today':
      return 'CURRENT_DATE'
    case 'now':
      return 'now()'
    case 'join-texts':
      return `string_agg(${distinct(operation.isDistinct)}CAST(${operation.of} AS text), ${operation.separator})`
    case 'find':
      return `strpos(${operation.within}, ${operation.text})`
    default:
      return null
  }
}

const writers: Readonly<Record<Dialect, WriteOperation>> = {
  sqlite: toSqlite,
  postgres: toPostgres,
  mysql: toMysql,
  duckdb: toDuckdb,
}
