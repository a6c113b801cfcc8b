import type { AttackRow, Forgery, Threat } from '../attack.ts'

const row = (name: string, forgery: Forgery, by = 'jonas', threat: Threat = 'T7'): AttackRow => ({
  threat,
  name,
  by,
  move: { kind: 'forge', forgery },
})

const wrongly = ['not', 'by another secret', 'long ago', 'for another body'] as const

/** T7: requests that are not Slack's, requests that come again, and clicks of somebody else on somebody else's things. */
export const forgeryAttacks: readonly AttackRow[] = [
  ...wrongly.map(signed => row(`an event, signed ${signed}`, { as: 'event', signed })),
  row('an event three times', { as: 'event', signed: 'right', times: 3 }),
  row('an event of the bot itself', { as: 'event', signed: 'right', event: { bot_id: 'B0QUERENT1' } }),
  row('an event with a subtype', {
    as: 'event',
    signed: 'right',
    event: { type: 'message', subtype: 'message_changed' },
  }),
  row('an event without anybody', { as: 'event', signed: 'right', event: { user: undefined } }),
  row('an event in the name of nobody known', {
    as: 'event',
    signed: 'right',
    event: { user: 'U0NOBODY99' },
  }),
  row('an event of a channel that is not known', {
    as: 'event',
    signed: 'right',
    event: { channel: 'C0NOWHERE9' },
  }),
  ...(['not', 'by another secret', 'long ago'] as const).flatMap(signed =>
    ['show_sql', 'export_csv', 'stop_question'].map(action =>
      row(`a click on ${action}, signed ${signed}`, { as: 'click', signed, action, value: '{answer}' }),
    ),
  ),
  ...[
    'show_sql',
    'export_csv',
    'edit_sql',
    'run_again',
    'schedule_answer',
    'stop_question',
    'human_approve',
    'human_fix',
    'human_reject',
    'human_show_sql',
    'clarify_else',
    'digest_edit',
    'digest_repair_compare',
    'verified_show_sql',
  ].map(action =>
    row(
      `a click of somebody who may not ask there on ${action}`,
      { as: 'click', signed: 'right', action, value: '{answer}' },
      'noor',
    ),
  ),
  ...['show_sql', 'export_csv'].map(action =>
    row(
      `a click of somebody of another company on ${action}`,
      { as: 'click', signed: 'right', action, value: '{answer}' },
      'theo',
    ),
  ),
  ...["' or 1=1 --", '../../etc/passwd', '00000000-0000-0000-0000-000000000000', ''].map(value =>
    row(`a click with the value ${value || '(empty)'}`, {
      as: 'click',
      signed: 'right',
      action: 'show_sql',
      value,
    }),
  ),
  ...['how', 'chart', 'table', 'verify', 'human'].map(choice =>
    row(
      `a choice of somebody who may not ask there: ${choice}`,
      { as: 'click', signed: 'right', action: 'answer_more', value: `${choice}:{answer}`, isMenu: true },
      'noor',
    ),
  ),
  ...['noor', 'theo'].flatMap(by => [
    ...['edit_sql_submitted', 'human_fix_submitted', 'human_reject_submitted', 'clarify_else_submitted'].map(
      callback =>
        row(
          `a form of ${by} that was not opened: ${callback}`,
          { as: 'form', callback, metadata: '{answer}', sql: 'select person from salaries' },
          by,
        ),
    ),
    ...['up', 'down'].map(vote =>
      row(
        `a vote of ${by}, who may not see the answer: ${vote}`,
        { as: 'click', signed: 'right', action: 'vote', value: `${vote}:{answer}` },
        by,
        'T11',
      ),
    ),
    row(
      `a comment of ${by} on an answer of others`,
      { as: 'form', callback: 'feedback_submitted', metadata: '{answer}' },
      by,
      'T11',
    ),
    ...['schedule_submitted', 'digest_edit_submitted', 'digest_hand_over_submitted'].map(callback =>
      row(
        `a digest of ${by} out of an answer of others: ${callback}`,
        { as: 'form', callback, metadata: '{answer}' },
        by,
        'T12',
      ),
    ),
    ...['digest_run', 'digest_resume', 'digest_delete', 'digest_show_sql'].map(action =>
      row(
        `a click of ${by} on a digest of others: ${action}`,
        { as: 'click', signed: 'right', action, value: '{answer}' },
        by,
        'T12',
      ),
    ),
  ]),
]
