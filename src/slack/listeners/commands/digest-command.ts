import type { Digest } from '../../../core/digest.ts'
import type { SlackMessage } from '../../check-message.ts'
import type { SlackUseCases } from '../../use-cases.ts'
import { digestHelpView, digestListView } from '../../views/command-digests.ts'
import { plainReply } from '../../views/plain-reply.ts'
import { changeDigest, type DigestDeed, sayDone } from '../actions/digest-buttons.ts'
import { findDigest } from '../find-digest.ts'

/** What stands behind `/querent digest`. */
export type DigestWords =
  | { readonly does: 'help'; readonly typed: string | null }
  | { readonly does: 'list' }
  | { readonly does: DigestDeed; readonly id: string }
  | {
      readonly does: 'make'
      /** When it is due, under which condition it is posted, and where; not read yet. */
      readonly words: string
      readonly question: string
    }

/** Those that ask no question. */
export type DigestDeedWords = Exclude<DigestWords, { readonly does: 'make' }>

/** Ids have 36 characters; the first eight tell the digests of a team apart. */
const SHORTEST_ID = 8
const LISTED = 20
/** Among so many a cut id is looked for. */
const SEARCHED = 1_000

const deeds: Readonly<Record<string, DigestDeed>> = {
  run: 'runNow',
  pause: 'pause',
  resume: 'resume',
  delete: 'remove',
  remove: 'remove',
}

/** Reads it. */
export const readDigestWords = (text: string): DigestWords => {
  const [word = '', id = '', ...more] = text.trim().split(/\s+/)
  const does = deeds[word.toLowerCase()]
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
export const replyToDigestWords = async (
  { digests, isAdmin }: Pick<SlackUseCases, 'digests' | 'isAdmin'>,
  words: DigestDeedWords,
  given: { readonly person: string; readonly team: string; readonly request: string },
): Promise<SlackMessage> => {
  const { person, team, request } = given
  const all = isAdmin(person)
  switch (words.does) {
    case 'help':
      return digestHelpView(words.typed)
    case 'list':
      return digestListView({
        ...(await digests.list({ person, team, all, offset: 0, limit: LISTED })),
        all,
      })
    case 'runNow':
    case 'pause':
    case 'resume':
    case 'remove': {
      const named = await byId(words.id)
      if (typeof named === 'string') return plainReply(named, 'See `/querent digest list` for the ids.')
      const done = await changeDigest(digests, words.does, { digestId: named.id, person, request })
      return plainReply(
        sayDone(words.does, named.title, done),
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
    const { digests: known } = await digests.list({ person, team, all, offset: 0, limit: SEARCHED })
    const [first, second] = known.filter(digest => digest.id.startsWith(id))
    if (!first) return 'There is no digest with this id.'
    return second ? 'More than one digest has an id that begins so.' : first
  }
}
