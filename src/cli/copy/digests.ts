import { idPrefixErrors } from './phrases.ts'

/** What the `digest` commands write. */
export const digestCopy = {
  none: 'There are no digests. People create them in Slack, with `Schedule` under an answer.',
  head: ['id', 'title', 'when', 'next (UTC)', 'where', 'owner'],
  idErrors: idPrefixErrors('digest', 'digest list'),
  done: (id: string, what: string, title: string): string => `${id} ${what}: ${title}`,
  willRun: 'will run as soon as the bot is free',
  isPaused: 'is paused',
  isResumed: 'is resumed',
  isChanged: (when: string, where: string): string => `is now due ${when}, ${where}`,
  channelName: (name: string): string =>
    `The command line cannot look up the channel #${name}. Give its id, such as \`in C0123456789\`.`,
  deletedMeanwhile: 'Someone deleted this digest a moment ago.',
  paused: (why: string): string => `paused: ${why}`,
  inChannel: (channel: string): string => `in ${channel}`,
  toPerson: (person: string): string => `to ${person}`,
} as const
