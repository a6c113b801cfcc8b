import { formatDatePattern } from '../../../sql/rewrite/portable-operation.ts'
import type { RepairRules } from '../../../sql/sql-dialect.ts'
import { functionNames } from '../standard-sql.ts'

const timestamp = (of: string): string => `CAST(${of} AS timestamp)`

const writeOperation: RepairRules['writeOperation'] = operation => {
  switch (operation.does) {
    case 'part':
      return `EXTRACT(${operation.unit.toUpperCase()} FROM ${timestamp(operation.of)})`
    case 'format': {
      const pattern = formatDatePattern(operation.pattern, 'date_format')
      return pattern === null ? null : `date_format(${timestamp(operation.of)}, ${pattern})`
    }
    case 'truncate':
      return `date_trunc('${operation.unit}', ${timestamp(operation.of)})`
    case 'difference': {
      const { unit, from, to, counts } = operation
      if (counts === 'whole') return `date_diff('${unit}', ${timestamp(from)}, ${timestamp(to)})`
      if (unit === 'day') return `date_diff('day', CAST(${from} AS date), CAST(${to} AS date))`
      return unit === 'year' ? `(year(${timestamp(to)}) - year(${timestamp(from)}))` : null
    }
    case 'shift':
      return `date_add('${operation.unit}', ${operation.amount}, ${timestamp(operation.of)})`
    // Midnight of 1970 is day 2440587.5 of the Julian count.
    case 'julian':
      return `(to_unixtime(${timestamp(operation.of)}) / 86400 + 2440587.5)`
    case 'today':
      return 'current_date'
    case 'now':
      return 'now()'
    case 'join-texts':
      return operation.isDistinct
        ? `array_join(array_agg(DISTINCT ${operation.of}), ${operation.separator})`
        : `array_join(array_agg(${operation.of}), ${operation.separator})`
    case 'choose':
      return `if(${operation.when}, ${operation.then}, ${operation.otherwise})`
    case 'find':
      return `strpos(${operation.within}, ${operation.text})`
    case 'beginning':
      return `substr(${operation.of}, 1, ${operation.length})`
    case 'ending':
      return `substr(${operation.of}, -(${operation.length}))`
    default:
      return null
  }
}

/** What statements written for another database need changed to run on Trino. */
export const repair: RepairRules = {
  ownFunctions: functionNames(
    `year month day hour minute second quarter week extract date_format date_trunc date_diff date_add now current_date`,
    `if strpos length substr split_part greatest least round`,
  ),
  writeOperation,
  hasLimitWithComma: false,
  hasFetchFirst: true,
  joinsNeedCondition: true,
  hasDoubleEquals: false,
  hasCastOperator: false,
  castTypes: {
    text: 'varchar',
    string: 'varchar',
    numeric: 'decimal(38, 10)',
    int: 'integer',
    float: 'double',
  },
  castTo: { numeric: 'double', text: 'varchar' },
  aliasesCanBeTexts: false,
  aliasesKnownIn: { where: false, having: false },
  subqueriesNeedNames: false,
}
