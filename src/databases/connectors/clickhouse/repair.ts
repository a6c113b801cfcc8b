import { formatDatePattern, type Unit } from '../../../sql/rewrite/portable-operation.ts'
import type { RepairRules } from '../../../sql/sql-dialect.ts'
import { functionNames } from '../standard-sql.ts'

const parts: Readonly<Record<Unit, string>> = {
  year: 'toYear',
  quarter: 'toQuarter',
  month: 'toMonth',
  week: 'toISOWeek',
  day: 'toDayOfMonth',
  hour: 'toHour',
  minute: 'toMinute',
  second: 'toSecond',
}

const starts: Readonly<Record<Unit, string>> = {
  year: 'toStartOfYear',
  quarter: 'toStartOfQuarter',
  month: 'toStartOfMonth',
  week: 'toMonday',
  day: 'toStartOfDay',
  hour: 'toStartOfHour',
  minute: 'toStartOfMinute',
  second: 'toDateTime',
}

const shifts: Readonly<Record<Unit, string>> = {
  year: 'addYears',
  quarter: 'addQuarters',
  month: 'addMonths',
  week: 'addWeeks',
  day: 'addDays',
  hour: 'addHours',
  minute: 'addMinutes',
  second: 'addSeconds',
}

const writeOperation: RepairRules['writeOperation'] = operation => {
  switch (operation.does) {
    case 'part':
      return `${parts[operation.unit]}(${operation.of})`
    case 'format': {
      const pattern = formatDatePattern(operation.pattern, 'numeric-strftime')
      return pattern === null ? null : `formatDateTime(${operation.of}, ${pattern})`
    }
    case 'truncate':
      return `${starts[operation.unit]}(${operation.of})`
    case 'difference': {
      const { unit, from, to, counts } = operation
      return counts === 'changes' ? `dateDiff('${unit}', ${from}, ${to})` : null
    }
    case 'shift':
      return `${shifts[operation.unit]}(${operation.of}, ${operation.amount})`
    case 'today':
      return 'today()'
    case 'now':
      return 'now()'
    case 'join-texts':
      return `arrayStringConcat(${operation.isDistinct ? 'groupUniqArray' : 'groupArray'}(toString(${operation.of})), ${operation.separator})`
    case 'choose':
      return `if(${operation.when}, ${operation.then}, ${operation.otherwise})`
    case 'find':
      return `positionUTF8(${operation.within}, ${operation.text})`
    case 'beginning':
      return `substringUTF8(${operation.of}, 1, ${operation.length})`
    case 'ending':
      return `substringUTF8(${operation.of}, -(${operation.length}))`
    default:
      return null
  }
}

/** What statements written for another database need changed to run on ClickHouse. */
export const repair: RepairRules = {
  ownFunctions: functionNames(
    `now today if ifnull position locate length substring date_trunc date_diff greatest least round`,
  ),
  writeOperation,
  hasLimitWithComma: true,
  hasFetchFirst: false,
  joinsNeedCondition: true,
  hasDoubleEquals: true,
  hasCastOperator: false,
  castTypes: {
    text: 'String',
    varchar: 'String',
    int: 'Int64',
    integer: 'Int64',
    numeric: 'Float64',
    real: 'Float64',
  },
  castTo: { numeric: 'Float64', text: 'String' },
  aliasesCanBeTexts: false,
  aliasesKnownIn: { where: true, having: true },
  subqueriesNeedNames: false,
}
