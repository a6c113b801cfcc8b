import { formatDatePattern, type Unit } from '../../../sql/rewrite/portable-operation.ts'
import type { RepairRules } from '../../../sql/sql-dialect.ts'
import { functionNames } from '../standard-sql.ts'

const truncated: Readonly<Partial<Record<Unit, string>>> = {
  year: '%Y-01-01',
  month: '%Y-%m-01',
  day: '%Y-%m-%d',
  hour: '%Y-%m-%d %H:00:00',
}

const writeOperation: RepairRules['writeOperation'] = operation => {
  switch (operation.does) {
    case 'part':
      return `EXTRACT(${operation.unit.toUpperCase()} FROM ${operation.of})`
    case 'format': {
      const pattern = formatDatePattern(operation.pattern, 'date_format')
      return pattern === null ? null : `DATE_FORMAT(${operation.of}, ${pattern})`
    }
    case 'truncate': {
      const pattern = truncated[operation.unit]
      return pattern === undefined ? null : `DATE_FORMAT(${operation.of}, '${pattern}')`
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
      return `GROUP_CONCAT(${operation.isDistinct ? 'DISTINCT ' : ''}${operation.of} SEPARATOR ${operation.separator})`
    case 'find':
      return `INSTR(${operation.within}, ${operation.text})`
    default:
      return null
  }
}

/** What statements written for another database need changed to run on MySQL and MariaDB. */
export const repair: RepairRules = {
  ownFunctions: functionNames(
    `year month day dayofmonth hour minute second quarter extract date_format datediff timestampdiff date_add date_sub
     now sysdate curdate current_date`,
    `ifnull if group_concat instr locate left right char_length character_length ucase lcase greatest least round`,
  ),
  writeOperation,
  hasLimitWithComma: true,
  hasFetchFirst: false,
  joinsNeedCondition: false,
  hasDoubleEquals: false,
  hasCastOperator: false,
  castTypes: {
    int: 'SIGNED',
    integer: 'SIGNED',
    bigint: 'SIGNED',
    text: 'CHAR',
    varchar: 'CHAR',
    numeric: 'DECIMAL(38, 10)',
    real: 'DOUBLE',
    float: 'DOUBLE',
    timestamp: 'DATETIME',
  },
  castTo: { numeric: 'DECIMAL(38, 10)', text: 'CHAR' },
  aliasesCanBeTexts: true,
  aliasesKnownIn: { where: false, having: true },
  subqueriesNeedNames: true,
}
