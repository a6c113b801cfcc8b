import type { Digest } from '../../domain/digest.ts'
import { plainReply } from '../block-kit/blocks.ts'
import type { SlackMessage } from '../block-kit/message.ts'
import type { SlackUseCases } from '../use-cases.ts'
import { digestHelpView, digestListView } from '../views/digests/replies.ts'
import {
  applyDigestAction,
  type DigestAction,
  findDigest,
  formatDigestActionResult,
} from './digest-buttons.ts'

/** What stands behind `/querent digest`. */
export type DigestCommand =
  | { readonly does: 'help'; readonly typed: string | null }
  | { readonly does: 'list' }
  | { readonly does: DigestAction; readonly id: string }
  | {
      readonly does: 'make'
      /** When it is due, under which condition it is posted, and where; not read yet. */
      readonly words: string
      readonly question: string
    }

/** Those that ask no question. */
export type DigestManagementCommand = Exclude<DigestCommand, { readonly does: 'make' }>

/** Ids have 36 characters; the first eight tell the digests of a team apart. */
const SHORTEST_ID = 8

const MOST_LISTED = 20

/** Among so many a cut id is looked for. */
const MOST_SEARCHED = 1_000

const actionsByWord: Readonly<Record<string, DigestAction>> = {
  run: 'runNow',
  pause: 'pause',
  resume: 'resume',
  delete: 'remove',
  remove: 'remove',
}

/** Reads it. */
export const parseDigestCommand = (text: string): DigestCommand => {
  const [word = '', id = '', ...more] = text.trim().split(/\s+/)
  const does = actionsByWord[word.toLowerCase()]
  if (does && more.length === 0) return { does, id: id.replaceAll('`', '').toLowerCase() }
  // The colon of a time, as in 08:30, has a digit behind it.
  const [, schedule = '', question] = /^([\s\S]*?\S)\s*:(?!\d)([\s\S]*)$/.exec(text.trim()) ?? []
  if (question !== undefined)
    return {
      does: 'make',
      words: schedule.replace(/\s+/g, ' ').trim(),
      question: question.replace(/\s+/g, ' ').trim(),
    }
  if (word.toLowerCase() === 'list') return { does: 'list' }
  return { does: 'help', typed: word === '' || word.toLowerCase() === 'help' ? null : text.trim() }
}

/** Does it, and says what became of it. `request` is unique per command that was typed. */
export const runDigestCommand = async (
  { digests, isAdmin }: Pick<SlackUseCases, 'digests' | 'isAdmin'>,
  words: DigestManagementCommand,
  given: { readonly person: string; readonly team: string; readonly request: string },
): Promise<SlackMessage> => {
  const { person, team, request } = given
  const all = isAdmin(person)
  switch (words.does) {
    case 'help':
      return digestHelpView(words.typed)
    case 'list':
      return digestListView({
        ...(await digests.list({ person, team, all, offset: 0, limit: MOST_LISTED })),
        all,
      })
    case 'runNow':
    case 'pause':
    case 'resume':
    case 'remove': {
      const named = await byId(words.id)
      if (typeof named === 'string') return plainReply(named, 'See `/querent digest list` for the ids.')
      const done = await applyDigestAction(digests, words.does, { digestId: named.id, person, request })
      return plainReply(
        formatDigestActionResult(words.does, named.title, done),
        'My Home tab has all that can be done with digests.',
      )
    }
    default: {
      const never: never = words
      return never
    }
  }

  async function byId(id: string): Promise<Digest | string> {
    if (id.length < SHORTEST_ID) return 'Give the id of a digest, or its first eight characters.'
    if (/^[0-9a-f-]{36}$/.test(id)) {
      const found = await findDigest(digests, { digestId: id, person, team })
      return found.status === 'found' ? found.digest : found.said
    }
    const { digests: known } = await digests.list({ person, team, all, offset: 0, limit: MOST_SEARCHED })
    const [first, second] = known.filter(digest => digest.id.startsWith(id))
    if (!first) return 'There is no digest with this id.'
    return second ? 'More than one digest has an id that begins so.' : first
  }
}
