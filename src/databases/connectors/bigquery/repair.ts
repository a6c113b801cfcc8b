import { formatDatePattern, type Unit } from '../../../sql/rewrite/portable-operation.ts'
import type { RepairRules } from '../../../sql/sql-dialect.ts'
import { functionNames } from '../standard-sql.ts'

const moment = (of: string): string => `CAST(${of} AS DATETIME)`

const difference = (unit: Unit, from: string, to: string, counts: 'whole' | 'changes'): string | null => {
  const part = unit.toUpperCase()
  // DATETIME_DIFF counts the changes of a unit; whole ones only of units of a fixed length.
  if (counts === 'changes' || ['hour', 'minute', 'second'].includes(unit))
    return `DATETIME_DIFF(${moment(to)}, ${moment(from)}, ${part})`
  return unit === 'day' ? `DIV(DATETIME_DIFF(${moment(to)}, ${moment(from)}, SECOND), 86400)` : null
}

const writeOperation: RepairRules['writeOperation'] = operation => {
  switch (operation.does) {
    case 'part':
      return `EXTRACT(${operation.unit.toUpperCase()} FROM ${moment(operation.of)})`
    case 'format': {
      const pattern = formatDatePattern(operation.pattern, 'strftime')
      return pattern === null ? null : `FORMAT_DATETIME(${pattern}, ${moment(operation.of)})`
    }
    case 'truncate':
      return `DATETIME_TRUNC(${moment(operation.of)}, ${operation.unit.toUpperCase()})`
    case 'difference':
      return difference(operation.unit, operation.from, operation.to, operation.counts)
    case 'shift':
      return `DATETIME_ADD(${moment(operation.of)}, INTERVAL ${operation.amount} ${operation.unit.toUpperCase()})`
    // Midnight of 1970 is day 2440587.5 of the Julian count.
    case 'julian':
      return `(UNIX_SECONDS(TIMESTAMP(${moment(operation.of)})) / 86400 + 2440587.5)`
    case 'today':
      return 'CURRENT_DATE()'
    case 'now':
      return 'CURRENT_TIMESTAMP()'
    case 'join-texts':
      return `STRING_AGG(${operation.isDistinct ? 'DISTINCT ' : ''}${operation.of}, ${operation.separator})`
    case 'choose':
      return `IF(${operation.when}, ${operation.then}, ${operation.otherwise})`
    case 'find':
      return `STRPOS(${operation.within}, ${operation.text})`
    case 'beginning':
      return `LEFT(${operation.of}, ${operation.length})`
    case 'ending':
      return `RIGHT(${operation.of}, ${operation.length})`
    default:
      return null
  }
}

/** What statements written for another database need changed to run on BigQuery. */
export const repair: RepairRules = {
  ownFunctions: functionNames(
    `extract date_trunc date_diff date_add date_sub datetime_diff datetime_trunc timestamp_diff timestamp_trunc
     format_date current_date current_timestamp if ifnull strpos instr left right length substr greatest least round
     string_agg`,
  ),
  writeOperation,
  hasLimitWithComma: false,
  hasFetchFirst: false,
  joinsNeedCondition: true,
  hasDoubleEquals: false,
  hasCastOperator: false,
  castTypes: {
    ...{ text: 'STRING', varchar: 'STRING', char: 'STRING', int: 'INT64', integer: 'INT64', bigint: 'INT64' },
    ...{ float: 'FLOAT64', double: 'FLOAT64', real: 'FLOAT64', decimal: 'NUMERIC', boolean: 'BOOL' },
  },
  castTo: { numeric: 'FLOAT64', text: 'STRING' },
  aliasesCanBeTexts: false,
  aliasesKnownIn: { where: false, having: true },
  subqueriesNeedNames: false,
}
