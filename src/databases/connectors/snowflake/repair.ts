import { formatDatePattern } from '../../../sql/rewrite/portable-operation.ts'
import type { RepairRules } from '../../../sql/sql-dialect.ts'
import { functionNames } from '../standard-sql.ts'

const timestamp = (of: string): string => `CAST(${of} AS timestamp_ntz)`

/** `to_char` of Snowflake has months and days by name in other letters, and knows no fill mode. */
const pattern = (strftime: string): string | null => {
  if (strftime.includes('%A') || strftime.includes('%j')) return null
  return formatDatePattern(strftime, 'to_char')?.replace('FMMonth', 'MMMM').replace('Dy', 'DY') ?? null
}

const writeOperation: RepairRules['writeOperation'] = operation => {
  switch (operation.does) {
    case 'part':
      return `EXTRACT(${operation.unit.toUpperCase()} FROM ${timestamp(operation.of)})`
    case 'format': {
      const text = pattern(operation.pattern)
      return text === null ? null : `to_char(${timestamp(operation.of)}, ${text})`
    }
    case 'truncate':
      return `date_trunc('${operation.unit}', ${timestamp(operation.of)})`
    // DATEDIFF counts how often the unit's number changed. Whole days are counted by their seconds.
    case 'difference': {
      const { unit, from, to, counts } = operation
      if (counts === 'changes') return `datediff(${unit}, ${timestamp(from)}, ${timestamp(to)})`
      if (unit === 'day') return `trunc(datediff(second, ${timestamp(from)}, ${timestamp(to)}) / 86400)`
      return unit === 'month' ? `trunc(months_between(${timestamp(to)}, ${timestamp(from)}))` : null
    }
    case 'shift':
      return `dateadd(${operation.unit}, ${operation.amount}, ${timestamp(operation.of)})`
    // Midnight of 1970 is day 2440587.5 of the Julian count.
    case 'julian':
      return `(date_part(epoch_second, ${timestamp(operation.of)}) / 86400 + 2440587.5)`
    case 'today':
      return 'current_date'
    case 'now':
      return 'current_timestamp'
    case 'join-texts':
      return `listagg(${operation.isDistinct ? 'DISTINCT ' : ''}${operation.of}, ${operation.separator})`
    case 'choose':
      return `iff(${operation.when}, ${operation.then}, ${operation.otherwise})`
    case 'find':
      return `charindex(${operation.text}, ${operation.within})`
    case 'beginning':
      return `left(${operation.of}, ${operation.length})`
    case 'ending':
      return `right(${operation.of}, ${operation.length})`
    default:
      return null
  }
}

/** What statements written for another database need changed to run on Snowflake. */
export const repair: RepairRules = {
  ownFunctions: functionNames(
    `year month day hour minute second quarter week extract to_char to_date date_trunc datediff dateadd date_part`,
    `ifnull iff charindex position left right length substr split_part greatest least round listagg current_date`,
  ),
  writeOperation,
  hasLimitWithComma: false,
  hasFetchFirst: true,
  joinsNeedCondition: false,
  hasDoubleEquals: false,
  hasCastOperator: true,
  castTypes: { numeric: 'number(38, 10)', decimal: 'number(38, 10)' },
  castTo: { numeric: 'double', text: 'varchar' },
  aliasesCanBeTexts: false,
  aliasesKnownIn: { where: true, having: true },
  subqueriesNeedNames: false,
}
