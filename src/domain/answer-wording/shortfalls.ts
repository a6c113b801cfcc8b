import type { BudgetLimit } from '../operations/usage.ts'
import type { Shortfall } from '../trace.ts'

/**
 * Words what was left out of the work on a question.
 *
 * @example shortfallText({ work: 'drafts', count: 3, of: 7, why: 'budget-spent', limit: thirtyCalls })
 * // 3 of 7 drafts were left out: the question's limit of 30 model calls was reached.
 */
export const shortfallText = (shortfall: Shortfall): string => {
  const { work, count, of } = shortfall
  const share = of === null ? String(count) : `${count} of ${of}`
  const isOne = (of ?? count) === 1
  const reason = reasonText(shortfall)
  switch (work) {
    case 'drafts':
      return `${share} ${isOne ? 'draft' : 'drafts'} ${wasLeft(count)} left out: ${reason}.`
    case 'further-drafts':
      return `Drafting ended at its limit of ${count} ${isOne ? 'draft' : 'drafts'}, although another could have changed the answer.`
    case 'queries':
      return `${share} ${isOne ? 'query' : 'queries'} ${wasLeft(count)} not run: ${reason}.`
    case 'repairs':
      return `${share} ${isOne ? 'repair' : 'repairs'} by a model ${wasLeft(count)} not tried: ${reason}.`
    case 'comparisons':
      return `${share} ${isOne ? 'comparison' : 'comparisons'} ${wasLeft(count)} made without a model: ${reason}.`
    case 'examples':
      return `${share} ${isOne ? 'set' : 'sets'} of examples for the drafts ${wasLeft(count)} not made: ${reason}.`
    case 'keywords':
      return `No model looked for more keywords: ${reason}.`
    case 'follow-up':
      return `No model read the thread, so rules did: ${reason}.`
    case 'headline':
      return `No model phrased the headline, so code did: ${reason}.`
    default: {
      const never: never = work
      return never
    }
  }
}

const wasLeft = (count: number): string => (count === 1 ? 'was' : 'were')

const reasonText = ({ why, limit }: Shortfall): string => {
  switch (why) {
    case 'budget-spent':
      return limit === null ? 'the budget for models is used up' : limitText(limit)
    case 'model-failed':
      return 'the model could not be reached or gave no usable reply'
    case 'most-drafts':
      return 'no more drafts are allowed'
    case 'query-quota':
      return 'the quota for reading the database is used up'
    default: {
      const never: never = why
      return never
    }
  }
}

const limitText = (limit: BudgetLimit): string => {
  const amount = amountText(limit)
  switch (limit.of) {
    case 'question':
      return `the question's limit of ${amount} was reached`
    case 'role':
      return `the share of the question's budget for this, ${amount}, was used up`
    case 'day':
      return `today's limit of ${amount} was reached`
    case 'person':
      return `today's limit of ${amount} for one person was reached`
    case 'channel':
      return `today's limit of ${amount} for this channel was reached`
    default: {
      const never: never = limit.of
      return never
    }
  }
}

const amountText = ({ unit, most }: BudgetLimit): string => {
  const amount = most.toLocaleString('en-US')
  switch (unit) {
    case 'calls':
      return `${amount} ${most === 1 ? 'model call' : 'model calls'}`
    case 'tokens':
      return `${amount} tokens`
    case 'money':
      return `${amount} for models`
    case 'seconds':
      return `${amount} s of waiting for models`
    default: {
      const never: never = unit
      return never
    }
  }
}
