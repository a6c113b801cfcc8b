import type { AttackRow, Forgery } from '../attack.ts'

const row = (name: string, forgery: Forgery, by = 'jonas'): AttackRow => ({
  threat: 'T7',
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
  ...['edit_sql', 'fix_sql', 'schedule_answer'].map(callback =>
    row(
      `a form that was not opened: ${callback}`,
      { as: 'form', callback, metadata: '{answer}', sql: 'select person from salaries' },
      'noor',
    ),
  ),
]
