import { randomBytes } from 'node:crypto'
import { describe, expect, it } from 'vitest'
import { makeSealer } from '../../src/store/sealer.ts'

const key = (id: string) => ({ id, key: randomBytes(32) })

const [first, second] = [key('first'), key('second')]

describe('a sealer', () => {
  it('opens what it sealed, for whom it sealed it', () => {
    const sealer = makeSealer([first])
    const sealed = sealer.seal('xoxb-größe', 'T1')
    expect(sealed).toMatch(/^v1:first:[\w-]+$/)
    expect(sealer.open(sealed, 'T1')).toBe('xoxb-größe')
    expect(() => sealer.open(sealed, 'T2')).toThrow('cannot be opened')
  })

  it('never seals the same twice alike', () => {
    const sealer = makeSealer([first])
    expect(new Set(Array.from({ length: 50 }, () => sealer.seal('a', 'T1'))).size).toBe(50)
  })

  it('seals with the first key, and opens with each', () => {
    const old = makeSealer([first]).seal('a', 'T1')
    const both = makeSealer([second, first])
    expect(both.open(old, 'T1')).toBe('a')
    expect([both.isCurrent(old), both.isCurrent(both.seal('a', 'T1'))]).toEqual([false, true])
    expect(() => makeSealer([second]).open(old, 'T1')).toThrow('the key first')
  })

  it('opens nothing that was changed, at any place', () => {
    const sealer = makeSealer([first])
    const [version, id, packed = ''] = sealer.seal('a secret', 'T1').split(':')
    const bytes = Buffer.from(packed, 'base64url')
    for (let at = 0; at < bytes.length; at += 1) {
      const changed = Buffer.from(bytes)
      changed[at] = (changed[at] ?? 0) ^ 1
      const sealed = [version, id, changed.toString('base64url')].join(':')
      expect(() => sealer.open(sealed, 'T1'), `byte ${at}`).toThrow('cannot be opened')
    }
    for (const broken of ['', 'v1', 'v1:first:', 'v2:first:AAAA', `v1:first:${packed.slice(0, 8)}`])
      expect(() => sealer.open(broken, 'T1'), broken).toThrow()
  })

  it('knows no other key by the same name', () => {
    const sealed = makeSealer([first]).seal('a', 'T1')
    expect(() => makeSealer([key('first')]).open(sealed, 'T1')).toThrow('has changed, or the row was altered')
  })
})
