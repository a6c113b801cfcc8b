import {
  formatDatePattern,
  type PortableOperation,
  type Unit,
} from '../../../sql/rewrite/portable-operation.ts'
import type { RepairRules } from '../../../sql/sql-dialect.ts'
import { functionNames } from '../standard-sql.ts'

const secondsIn: Readonly<Partial<Record<Unit, number>>> = { hour: 3600, minute: 60, second: 1 }

const timestamp = (of: string): string => `CAST(${of} AS timestamp)`

const difference = ({
  unit,
  from,
  to,
  counts,
}: Extract<PortableOperation, { does: 'difference' }>): string | null => {
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

const writeOperation: RepairRules['writeOperation'] = operation => {
  switch (operation.does) {
    case 'part':
      return `CAST(EXTRACT(${operation.unit.toUpperCase()} FROM ${timestamp(operation.of)}) AS integer)`
    case 'format': {
      const pattern = formatDatePattern(operation.pattern, 'to_char')
      return pattern === null ? null : `to_char(${timestamp(operation.of)}, ${pattern})`
    }
    case 'truncate':
      return `date_trunc('${operation.unit}', ${timestamp(operation.of)})`
    case 'difference':
      return difference(operation)
    case 'shift':
      return `(${timestamp(operation.of)} + INTERVAL '${operation.amount} ${operation.unit}s')`
    case 'julian':
      return `EXTRACT(JULIAN FROM ${timestamp(operation.of)})`
    case 'today':
      return 'CURRENT_DATE'
    case 'now':
      return 'now()'
    case 'join-texts':
      return `string_agg(${operation.isDistinct ? 'DISTINCT ' : ''}CAST(${operation.of} AS text), ${operation.separator})`
    case 'find':
      return `strpos(${operation.within}, ${operation.text})`
    case 'round':
      return `ROUND(CAST(${operation.of} AS numeric), ${operation.digits})`
    default:
      return null
  }
}

/** What statements written for another database need changed to run on Postgres. */
export const repair: RepairRules = {
  ownFunctions: functionNames(
    `extract date_part date_trunc to_char now string_agg strpos left right char_length character_length greatest least`,
  ),
  writeOperation,
  hasLimitWithComma: false,
  hasFetchFirst: true,
  joinsNeedCondition: true,
  hasDoubleEquals: false,
  hasCastOperator: true,
  castTypes: {},
  castTo: { numeric: 'numeric', text: 'text' },
  aliasesCanBeTexts: false,
  aliasesKnownIn: { where: false, having: false },
  subqueriesNeedNames: true,
}
