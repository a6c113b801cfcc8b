import type {
  AnswerChange,
  ChangedFilter,
  ChangedGroup,
  ChangeProblem,
  MeasureFunction,
} from '../interpretation.ts'

/** Words a change of an answer, to complete "Same as before, ". */
export const changeText = (change: AnswerChange): string => {
  switch (change.kind) {
    case 'filter':
      return `${change.how} ${filterText(change.filter)}`
    case 'without':
      return `only without any ${change.table}`
    case 'group':
      return `${change.isAdded ? 'also ' : ''}by ${change.by.map(groupText).join(' and ')}`
    case 'measure':
      return `${change.isAdded ? 'also ' : ''}the ${measureNames[change.measure]} ${change.column}`
    case 'order': {
      const first = `${change.direction === 'asc' ? 'lowest' : 'highest'} ${change.by ?? 'value'}`
      return change.count === null ? `${first} first` : `only the ${change.count} with the ${first}`
    }
    case 'having':
      return `only where the value is ${operatorText(change.operator)} ${change.number}`
    case 'limit':
      return `only ${change.count} rows`
    case 'view':
      return `as a ${change.view}`
    case 'count':
      return 'counted'
    case 'list':
      return `each ${change.table} instead of the numbers`
    case 'metric':
      return `${change.isAdded ? 'also ' : ''}the ${change.label}`
    case 'show':
      return `with ${change.labels.join(' and ')}`
    case 'ungroup':
      return 'all together'
    case 'share':
      return `as a share of ${change.of}`
    case 'running':
      return change.isAverage ? 'as a moving average' : 'added up over time'
    case 'compare':
      return `compared with ${change.with}`
    case 'all-rows':
      return 'all of them'
    default: {
      const never: never = change
      return never
    }
  }
}

const groupText = ({ label, unit }: ChangedGroup): string => (unit === null ? label : `${unit} (${label})`)

/** How measures are called in follow-ups, such as "average price instead". */
export const measureNames: Readonly<Record<MeasureFunction, string>> = {
  avg: 'average',
  sum: 'total',
  max: 'highest',
  min: 'lowest',
  count: 'number',
}

/** Within a condition: `its average`. */
const aggregateText = (fn: string): string =>
  `its ${Object.entries(measureNames).find(([name]) => name === fn)?.[1] ?? fn}`

/** `over` for `>`. */
const operatorText = (operator: string): string => operatorWords[operator] ?? operator

const operatorWords: Readonly<Record<string, string>> = {
  '=': 'equal to',
  '<>': 'other than',
  '>': 'over',
  '>=': 'at least',
  '<': 'under',
  '<=': 'at most',
}

const filterText = (filter: ChangedFilter): string => {
  switch (filter.kind) {
    case 'compare': {
      const { column, operator, value, negated } = filter
      if (operator === '=') return negated ? `${column} other than ${value}` : `${value} (${column})`
      return `${column} ${negated ? 'not ' : ''}${operatorText(operator)} ${value}`
    }
    case 'compare-column':
      return `${filter.column} ${operatorText(filter.operator)} ${filter.other}`
    case 'compare-aggregate':
      return `${filter.column} ${operatorText(filter.operator)} ${aggregateText(filter.fn)}`
    case 'between':
      return `${filter.column} from ${filter.low} to ${filter.high}`
    case 'matches':
      return `${filter.column} ${filter.negated ? 'without' : 'with'} “${filter.text}”`
    case 'period':
      return `${filter.negated ? 'not ' : ''}“${filter.phrase}”`
    case 'segment':
      return `${filter.negated ? 'not ' : ''}${filter.label}`
    case 'missing':
      return `${filter.column} ${filter.negated ? 'known' : 'missing'}`
    default: {
      const never: never = filter
      return never
    }
  }
}

/** Words why a change of an answer cannot be made. */
export const changeProblemText = (problem: ChangeProblem): string => {
  switch (problem.code) {
    case 'asks-why':
      return 'A question why does not change the answer.'
    case 'nothing-to-count':
      return "I can't tell what to count."
    case 'nothing-to-list':
      return "I can't tell what to list."
    case 'nothing-to-sort':
      return 'This answer has nothing to sort by.'
    case 'only-counts':
      return `The answer counts rows, so I can't tell which column's ${measureNames[problem.measure]} you want.`
    case 'unknown-words':
      return `I took this as a change to the last question, but I can't find ${problem.words.map(word => `“${word}”`).join(', ')} in this database.`
    case 'made-otherwise':
      return "I can't break this answer down."
    case 'no-number':
      return 'The last answer has no number that I can break down.'
    case 'not-additive':
      return "I can't break down an average, a highest or a lowest value: its parts do not add up to it."
    case 'number-not-named':
      return 'I can break down one number of the last answer. Tell me which one.'
    case 'unknown-number':
      return `I can't tell which number of the last answer you mean by “${problem.words}”.`
    case 'no-date':
      return "I can't tell by which date to compare the last answer."
    case 'not-comparable':
      return "I can't compare these two."
    case 'unclear':
      return "I'm not sure what you want to see."
    default: {
      const never: never = problem
      return never
    }
  }
}
