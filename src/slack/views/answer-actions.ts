import { actionIds } from '../action-ids.ts'
import type { SlackBlock } from '../block-schema.ts'
import type { AnswerView } from './answer.ts'

/** What the overflow menu of an answer can do; its options are `<choice>:<question>`. */
export const menuChoices = ['how', 'chart', 'table', 'verify', 'human'] as const
export type MenuChoice = (typeof menuChoices)[number]

const titles: Record<MenuChoice, string> = {
  how: 'How I got this',
  chart: 'Show as chart',
  table: 'Show as table',
  verify: 'Save as verified',
  human: 'Ask a human',
}

/** The action row: five, which is as many as are taken in at a glance. */
export const answerActions = (
  view: Pick<AnswerView, 'questionId' | 'chart' | 'canChart' | 'asksHumans'>,
): SlackBlock => {
  const { questionId } = view
  const choices: readonly MenuChoice[] = [
    'how',
    ...(view.chart ? (['table'] as const) : view.canChart ? (['chart'] as const) : []),
    'verify',
    ...(view.asksHumans ? (['human'] as const) : []),
  ]
  return {
    type: 'actions',
    elements: [
      button(actionIds.showSql, 'Show SQL', questionId),
      button(actionIds.exportCsv, 'Export CSV', questionId),
      button(actionIds.editSql, 'Edit & rerun', questionId),
      button(actionIds.schedule, 'Schedule', questionId),
      {
        type: 'overflow',
        action_id: actionIds.answerMenu,
        options: choices.map(choice => ({
          text: { type: 'plain_text', text: titles[choice] },
          value: `${choice}:${questionId}`,
        })),
      },
    ],
  }
}

const button = (actionId: string, text: string, value: string) => ({
  type: 'button' as const,
  action_id: actionId,
  text: { type: 'plain_text' as const, text },
  value,
})

/** Slack's own thumbs, always last. */
export const answerFeedback = (questionId: string): SlackBlock => ({
  type: 'context_actions',
  elements: [
    {
      type: 'feedback_buttons',
      action_id: actionIds.vote,
      positive_button: {
        text: { type: 'plain_text', text: 'Right' },
        accessibility_label: 'This answer is right',
        value: `up:${questionId}`,
      },
      negative_button: {
        text: { type: 'plain_text', text: 'Wrong' },
        accessibility_label: 'This answer is wrong',
        value: `down:${questionId}`,
      },
    },
  ],
})
