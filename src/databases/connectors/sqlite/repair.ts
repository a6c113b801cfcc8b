import {
  formatDatePattern,
  type PortableOperation,
  type Unit,
} from '../../../sql/rewrite/portable-operation.ts'
import type { RepairRules } from '../../../sql/sql-dialect.ts'
import { functionNames } from '../standard-sql.ts'

const secondsIn: Readonly<Partial<Record<Unit, number>>> = { hour: 3600, minute: 60, second: 1 }

const letters: Readonly<Partial<Record<Unit, string>>> = {
  year: '%Y',
  month: '%m',
  week: '%W',
  day: '%d',
  hour: '%H',
  minute: '%M',
  second: '%S',
}

const part = (unit: Unit, of: string): string => {
  if (unit === 'quarter') return `((${part('month', of)} + 2) / 3)`
  return `CAST(strftime('${letters[unit]}', ${of}) AS INTEGER)`
}

const difference = ({
  unit,
  from,
  to,
  counts,
}: Extract<PortableOperation, { does: 'difference' }>): string | null => {
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

const truncated: Readonly<Partial<Record<Unit, string>>> = {
  year: '%Y-01-01',
  month: '%Y-%m-01',
  day: '%Y-%m-%d',
  hour: '%Y-%m-%d %H:00:00',
}

const writeOperation: RepairRules['writeOperation'] = operation => {
  switch (operation.does) {
    case 'part':
      return part(operation.unit, operation.of)
    case 'format': {
      const pattern = formatDatePattern(operation.pattern, 'numeric-strftime')
      return pattern === null ? null : `strftime(${pattern}, ${operation.of})`
    }
    case 'truncate': {
      const pattern = truncated[operation.unit]
      return pattern === undefined ? null : `strftime('${pattern}', ${operation.of})`
    }
    case 'difference':
      return difference(operation)
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

/** What statements written for another database need changed to run on SQLite. */
export const repair: RepairRules = {
  ownFunctions: functionNames(
    `strftime julianday date datetime ifnull if iif group_concat string_agg instr total round`,
  ),
  writeOperation,
  hasLimitWithComma: true,
  hasFetchFirst: false,
  joinsNeedCondition: false,
  hasDoubleEquals: true,
  hasCastOperator: false,
  castTypes: {},
  castTo: { numeric: 'numeric', text: 'text' },
  aliasesCanBeTexts: true,
  aliasesKnownIn: { where: true, having: true },
  subqueriesNeedNames: false,
}
