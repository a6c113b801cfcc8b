import type { Digest } from '../../../domain/digest.ts'
import type { DigestRequestOutcome } from '../../../domain/digest-use-cases.ts'
import { contextBlock, plainReply, type SlackMessage, sectionBlock } from '../../block-kit/blocks.ts'
import { escapeAndTruncate, fallbackText, mention, slackDate } from '../../block-kit/text.ts'
import { digestListTexts, noteText, requestedDigestTexts } from '../../copy/digest.ts'
import { digestHelpNote, digestHelpSummary, digestHelpText, unknownDigestCommand } from '../../copy/help.ts'
import { digestsTitle, ownedBy } from '../../copy/home.ts'
import { andMore, formatNumber } from '../../copy/phrases.ts'
import { formatDigestRefusal, formatSchedule, formatStatus, formatTarget } from './format.ts'

/** What the command can do with digests; after words that it does not know, with what was typed. */
export const digestHelpView = (typed: string | null): SlackMessage => ({
  text: fallbackText(digestHelpSummary),
  blocks: [
    ...(typed === null ? [] : [sectionBlock(unknownDigestCommand(escapeAndTruncate(typed, 300)))]),
    sectionBlock(digestHelpText),
    contextBlock(digestHelpNote),
  ],
})

/** Digests with their ids. `all`: everyone's, for an admin. */
export const digestListView = ({
  digests,
  total,
  all,
}: {
  readonly digests: readonly Digest[]
  readonly total: number
  readonly all: boolean
}): SlackMessage => {
  const title = digestsTitle({ isEveryones: all })
  const text = fallbackText(digestListTexts.summary(title, total))
  if (total === 0) return { text, blocks: [sectionBlock(`*${title}*\n${digestListTexts.none}`)] }
  const more = total - digests.length
  return {
    text,
    blocks: [
      sectionBlock(`*${title}* (${formatNumber(total)})`),
      ...digests.map(digest => sectionBlock(formatListed(digest, { all }))),
      ...(more > 0 ? [contextBlock(digestListTexts.more(andMore(more)))] : []),
    ],
  }
}

const formatListed = (digest: Digest, { all }: { readonly all: boolean }): string => {
  const heading = `*${escapeAndTruncate(digest.title || '–', 150)}*  \`${digest.id}\`${all ? `  ·  ${ownedBy(mention(digest.owner))}` : ''}`
  return `${heading}\n${formatSchedule(digest)}, ${formatTarget(digest)}\n${formatStatus(digest)}`
}

const TIMES_SHOWN = 3

const REMARKS_SHOWN = 5

/** What became of a digest that was asked for together with its question, for the question's thread. */
export const requestedDigestView = (outcome: DigestRequestOutcome): SlackMessage => {
  switch (outcome.status) {
    case 'scheduled': {
      const { digest, next, notes: remarks } = outcome
      const { words, timeZone } = digest.schedule
      const times = next.slice(0, TIMES_SHOWN).map(slackDate)
      return {
        text: fallbackText(requestedDigestTexts.summary(words, timeZone)),
        blocks: [
          sectionBlock(requestedDigestTexts.scheduled(formatSchedule(digest), formatTarget(digest), times)),
          ...remarks
            .slice(0, REMARKS_SHOWN)
            .map(note => sectionBlock(noteText(escapeAndTruncate(note, 1_000)))),
          contextBlock(requestedDigestTexts.note),
        ],
      }
    }
    case 'unfit':
      return plainReply(requestedDigestTexts.refused(formatDigestRefusal(outcome.refusal)))
    case 'unanswered':
      return plainReply(requestedDigestTexts.unanswered(outcome.end))
    case 'broken':
      return plainReply(requestedDigestTexts.broken)
    default: {
      const never: never = outcome
      return never
    }
  }
}
