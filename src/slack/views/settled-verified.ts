import type { ResolveStaleResult } from '../../core/verified-recheck.ts'
import type { SlackMessage } from '../check-message.ts'
import { plainReply } from './plain-reply.ts'

type Settled = Extract<ResolveStaleResult, { readonly status: 'kept' | 'removed' | 'settled' }>

/** What became of a stale verified query, in the place of what its owner was asked. */
export const settledVerifiedView = (settled: Settled): SlackMessage => {
  const { query } = settled
  const named = query === null ? 'The verified query' : `The verified query for “${query.question}”`
  switch (settled.status) {
    case 'kept':
      return plainReply(
        `${named} is in use again.`,
        `It gave ${formatRows(settled.query.lastRun)} just now, and stands on the tables as they are today.`,
      )
    case 'removed':
      return plainReply(
        `${named} is removed.`,
        'Nobody is answered from it any more. Save its question again to have one that fits.',
      )
    case 'settled':
      return plainReply(
        query === null
          ? `${named} is no longer kept.`
          : `${named} was settled already: it is ${query.status}.`,
        'There is nothing left to decide here.',
      )
    default: {
      const never: never = settled
      return never
    }
  }
}

const formatRows = (run: Extract<Settled, { readonly status: 'kept' }>['query']['lastRun']): string => {
  const count = run?.status === 'ran' ? run.rowCount : 0
  return `${count.toLocaleString('en-US')} row${count === 1 ? '' : 's'}`
}
