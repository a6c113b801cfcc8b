import type { AnswerStep } from '../../core/answer-event.ts'
import type { SlackMessage } from '../check-message.ts'

const said: Record<AnswerStep, string> = {
  understand: 'Reading the question',
  'find-values': 'Looking for values',
  link: 'Choosing tables and columns',
  draft: 'Writing queries',
  check: 'Checking queries against the database',
  choose: 'Comparing results',
  explain: 'Writing the answer',
}

/** The message that stands in the thread while a question is worked on; the answer takes its place. */
export const workingView = (step: AnswerStep): SlackMessage => ({
  text: `${said[step]} …`,
  blocks: [{ type: 'context', elements: [{ type: 'mrkdwn', verbatim: true, text: `${said[step]} …` }] }],
})
