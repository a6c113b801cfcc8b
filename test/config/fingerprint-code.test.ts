import { renameSync, utimesSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { fingerprintCode } from '../../src/config/answer-fingerprint.ts'
import { makeFolder } from './make-folder.ts'

const files = { 'ask.md': 'Write SQL.', 'more/fix.md': 'Mend it.' }

describe('the fingerprint of code and prompts', () => {
  it('is the same for the same files, wherever they lie and whenever they were written', async () => {
    const [here, there] = [makeFolder(files), makeFolder(files)]
    const long = new Date('2020-01-01')
    utimesSync(join(there, 'ask.md'), long, long)
    expect(await fingerprintCode([here])).toBe(await fingerprintCode([there]))
  })

  it.each([
    ['a text', (folder: string) => writeFileSync(join(folder, 'more/fix.md'), 'Mend it!')],
    ['a name', (folder: string) => renameSync(join(folder, 'ask.md'), join(folder, 'say.md'))],
    ['one more file', (folder: string) => writeFileSync(join(folder, 'new.md'), '')],
  ])('changes with %s', async (_, change) => {
    const folder = makeFolder(files)
    const before = await fingerprintCode([folder])
    change(folder)
    expect(await fingerprintCode([folder])).not.toBe(before)
  })

  it('is of the files of this project where it is told of no others', async () => {
    expect(await fingerprintCode()).not.toBe(await fingerprintCode([]))
  })
})
