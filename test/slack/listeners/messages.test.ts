import { describe, expect, it } from 'vitest'
import { mentionsOthers, parseMessageChange } from '../../../src/slack/listeners/messages.ts'

const message = { type: 'message', user: 'U1', text: 'how many tents?', ts: '2.0', thread_ts: '1.0' }

const changed = { type: 'message', subtype: 'message_changed', channel: 'C', event_ts: '9.0', ts: '9.0' }

const deleted = { type: 'message', subtype: 'message_deleted', deleted_ts: '2.0', channel: 'C' }

describe('a change of a message', () => {
  it('is an edit, with when it was made', () => {
    expect(parseMessageChange({ ...changed, message, previous_message: message }, 'UBOT')).toEqual({
      kind: 'edit',
      by: 'U1',
      text: 'how many tents?',
      ts: '2.0',
      thread: '1.0',
      changedAt: '9.0',
    })
  })

  it('of ours is none', () => {
    expect(parseMessageChange({ ...changed, message: { ...message, user: 'UBOT' } }, 'UBOT')).toBeNull()
    expect(parseMessageChange({ ...changed, message: { ...message, bot_id: 'B1' } }, 'UBOT')).toBeNull()
    expect(
      parseMessageChange({ ...deleted, previous_message: { ...message, bot_id: 'B1' } }, 'UBOT'),
    ).toBeNull()
  })

  it('is a deletion', () => {
    expect(parseMessageChange({ ...deleted, previous_message: message }, 'UBOT')).toEqual({
      kind: 'deletion',
      by: 'U1',
      ts: '2.0',
      thread: '1.0',
    })
  })

  it('is a deletion where a message with replies stays as a tombstone', () => {
    const tombstone = { type: 'message', subtype: 'tombstone', user: 'USLACKBOT', ts: '2.0', text: 'gone' }
    expect(parseMessageChange({ ...changed, message: tombstone }, 'UBOT')).toEqual({
      kind: 'deletion',
      by: null,
      ts: '2.0',
      thread: '2.0',
    })
  })

  it('is no new message', () => {
    expect(parseMessageChange({ ...message, channel: 'C' }, 'UBOT')).toBeNull()
  })
})

describe('a message that names people', () => {
  it.each([
    ['<@U2> is that right?', true],
    ['<@U2> <@UBOT> is that right?', false],
    ['<@UBOT> how many tents?', false],
    ['how many tents?', false],
    ['ask <@U2|jonas> about it', true],
  ])('%s', (text, others) => {
    expect(mentionsOthers(text, 'UBOT')).toBe(others)
  })
})
