import { formatDatePattern, type Unit } from '../../../sql/rewrite/portable-operation.ts'
import type { RepairRules } from '../../../sql/sql-dialect.ts'
import { functionNames } from '../standard-sql.ts'

/** Letters of `to_char` that Java's patterns, which Spark uses, write in another way. */
const javaLetters: readonly (readonly [RegExp, string])[] = [
  [/YYYY/g, 'yyyy'],
  [/YY/g, 'yy'],
  [/HH24/g, 'HH'],
  [/MI/g, 'mm'],
  [/SS/g, 'ss'],
  [/FMMonth/g, 'MMMM'],
  [/Mon/g, 'MMM'],
  [/FMDay/g, 'EEEE'],
  [/Dy/g, 'EEE'],
  [/DDD/g, 'DDD'],
  [/(?<!D)DD(?!D)/g, 'dd'],
]

const javaPattern = (strftime: string): string | null => {
  const pattern = formatDatePattern(strftime, 'to_char')
  return pattern === null ? null : javaLetters.reduce((text, [from, to]) => text.replace(from, to), pattern)
}

const timestamp = (of: string): string => `CAST(${of} AS timestamp)`

const difference = (unit: Unit, from: string, to: string, counts: 'whole' | 'changes'): string | null => {
  if (unit === 'day') return `datediff(${to}, ${from})`
  if (counts === 'whole') return `timestampdiff(${unit.toUpperCase()}, ${timestamp(from)}, ${timestamp(to)})`
  return unit === 'year' ? `(year(${to}) - year(${from}))` : null
}

const writeOperation: RepairRules['writeOperation'] = operation => {
  switch (operation.does) {
    case 'part':
      return `EXTRACT(${operation.unit.toUpperCase()} FROM ${timestamp(operation.of)})`
    case 'format': {
      const pattern = javaPattern(operation.pattern)
      return pattern === null ? null : `date_format(${operation.of}, ${pattern})`
    }
    case 'truncate':
      return `date_trunc('${operation.unit.toUpperCase()}', ${operation.of})`
    case 'difference':
      return difference(operation.unit, operation.from, operation.to, operation.counts)
    case 'shift':
      return `(${timestamp(operation.of)} + INTERVAL ${operation.amount} ${operation.unit.toUpperCase()})`
    // Day 0 of 1970 is day 2440587.5 of the Julian count.
    case 'julian':
      return `(unix_timestamp(${timestamp(operation.of)}) / 86400 + 2440587.5)`
    case 'today':
      return 'current_date()'
    case 'now':
      return 'now()'
    case 'join-texts':
      return `array_join(${operation.isDistinct ? 'collect_set' : 'collect_list'}(${operation.of}), ${operation.separator})`
    case 'find':
      return `instr(${operation.within}, ${operation.text})`
    default:
      return null
  }
}

/** What statements written for another database need changed to run on Spark. */
export const repair: RepairRules = {
  ownFunctions: functionNames(
    `year month day dayofmonth hour minute second quarter extract date_format date_trunc datediff date_add date_sub now`,
    `ifnull if instr locate left right char_length character_length ucase lcase greatest least round`,
  ),
  writeOperation,
  hasLimitWithComma: false,
  hasFetchFirst: false,
  joinsNeedCondition: false,
  hasDoubleEquals: true,
  hasCastOperator: true,
  castTypes: {
    text: 'string',
    varchar: 'string',
    integer: 'int',
    numeric: 'decimal(38, 10)',
    real: 'double',
  },
  castTo: { numeric: 'double', text: 'string' },
  aliasesCanBeTexts: false,
  aliasesKnownIn: { where: false, having: true },
  subqueriesNeedNames: false,
}
