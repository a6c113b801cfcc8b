import { formatDatePattern } from '../../../sql/rewrite/portable-operation.ts'
import type { RepairRules } from '../../../sql/sql-dialect.ts'
import { functionNames } from '../standard-sql.ts'

const timestamp = (of: string): string => `CAST(${of} AS timestamp)`

const writeOperation: RepairRules['writeOperation'] = operation => {
  switch (operation.does) {
    case 'part':
      return `CAST(EXTRACT(${operation.unit} FROM ${timestamp(operation.of)}) AS integer)`
    case 'format': {
      const pattern = formatDatePattern(operation.pattern, 'to_char')
      return pattern === null ? null : `TO_CHAR(${timestamp(operation.of)}, ${pattern})`
    }
    case 'truncate':
      return `DATE_TRUNC('${operation.unit}', ${timestamp(operation.of)})`
    case 'difference': {
      const { unit, from, to, counts } = operation
      // DATEDIFF counts the borders between: from December 31 to January 1 is a year.
      if (counts !== 'whole' || unit === 'second')
        return `DATEDIFF(${unit}, ${timestamp(from)}, ${timestamp(to)})`
      if (unit === 'month' || unit === 'year') {
        const months = `MONTHS_BETWEEN(${timestamp(to)}, ${timestamp(from)})`
        return unit === 'month' ? `TRUNC(${months})` : `TRUNC(${months} / 12)`
      }
      const seconds = { minute: 60, hour: 3600, day: 86_400 }[unit as string]
      return seconds === undefined
        ? null
        : `TRUNC(DATEDIFF(second, ${timestamp(from)}, ${timestamp(to)}) / ${seconds}.0)`
    }
    case 'shift':
      return `DATEADD(${operation.unit}, ${operation.amount}, ${timestamp(operation.of)})`
    case 'today':
      return 'CURRENT_DATE'
    case 'now':
      return 'GETDATE()'
    case 'join-texts':
      return `LISTAGG(${operation.isDistinct ? 'DISTINCT ' : ''}CAST(${operation.of} AS varchar(65535)), ${operation.separator})`
    case 'choose':
      return `CASE WHEN ${operation.when} THEN ${operation.then} ELSE ${operation.otherwise} END`
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

/** What statements written for another database need changed to run on Redshift. */
export const repair: RepairRules = {
  ownFunctions: functionNames(
    `extract date_part date_trunc dateadd datediff getdate to_char listagg nvl strpos charindex left right len
     char_length character_length greatest least round`,
  ),
  writeOperation,
  hasLimitWithComma: false,
  hasFetchFirst: false,
  joinsNeedCondition: true,
  hasDoubleEquals: false,
  hasCastOperator: true,
  // Without a length a VARCHAR has 256 bytes, and a DECIMAL no fraction.
  castTypes: {
    text: 'varchar(65535)',
    string: 'varchar(65535)',
    numeric: 'decimal(38, 10)',
    double: 'double precision',
  },
  castTo: { numeric: 'double precision', text: 'varchar(65535)' },
  aliasesCanBeTexts: false,
  aliasesKnownIn: { where: false, having: false },
  subqueriesNeedNames: true,
}
