import { fork } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { readAuditFiles, writeFully } from '../../../src/store/audit-file/audit-file.ts'
import { collect } from '../../helpers/collect.ts'

/** Writes to a disk that takes so many bytes at a time, in turn, and then all. */
const takingOnly = (...sizes: readonly number[]) => {
  const left = [...sizes]
  let text = ''
  return {
    write: async (bytes: Buffer): Promise<number> => {
      const taken = Math.min(left.shift() ?? bytes.length, bytes.length)
      text += bytes.subarray(0, taken).toString()
      return taken
    },
    lines: () => text.split('\n').filter(line => line !== ''),
  }
}

describe('a write that takes only a part', () => {
  it('repeats the cut line on a new line', async () => {
    const disk = takingOnly(6)
    await writeFully(Buffer.from('aaaa\nbbbb\ncccc\n'), disk.write)
    expect(disk.lines()).toEqual(['aaaa', 'b', 'bbbb', 'cccc'])
  })

  it('loses nothing where it is cut at the end of a line, twice, or before the first byte', async () => {
    for (const sizes of [[5], [7, 3], [0, 6, 1]]) {
      const disk = takingOnly(...sizes)
      await writeFully(Buffer.from('aaaa\nbbbb\ncccc\n'), disk.write)
      expect(disk.lines()).toEqual(expect.arrayContaining(['aaaa', 'bbbb', 'cccc']))
    }
  })

  it('gives up a disk that takes nothing more', async () => {
    const disk = takingOnly(...Array.from({ length: 100 }, () => 0))
    await expect(writeFully(Buffer.from('aaaa\n'), disk.write)).rejects.toThrow('0 of')
  })
})

describe('several processes at once', () => {
  it('tear no line of each other, and one that is killed tears at most its own', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'querent-appending-'))
    const children = ['a', 'b', 'c'].map(name =>
      fork(join(import.meta.dirname, 'append-forever.ts'), [folder, name], { silent: true }),
    )
    try {
      /** How many statements each had been told were written, when it said so last. */
      const told = new Map<string, number>()
      const enough = Promise.withResolvers<void>()
      for (const child of children)
        child.on('message', ({ name, written }: { name: string; written: number }) => {
          told.set(name, written)
          if (told.size === children.length && Math.min(...told.values()) >= 300) enough.resolve()
        })
      const died = Promise.race(children.map(child => once(child, 'exit').then(() => 'died')))
      expect(await Promise.race([enough.promise, died])).toBeUndefined()
      const exits = children.map(child => once(child, 'exit'))
      for (const child of children) child.kill('SIGKILL')
      await Promise.all(exits)
      const read = await collect(readAuditFiles(folder, {}))
      for (const [name, written] of told) {
        const numbers = read
          .filter(({ person }) => person === name)
          .map(({ sql }) => Number(sql.split(' ')[0]))
        expect(new Set(numbers).size).toBe(numbers.length)
        for (let number = 0; number < written; number++) expect(numbers).toContain(number)
      }
      const lines = readFileSync(join(folder, '2026-03-02.jsonl'), 'utf8').trimEnd().split('\n')
      const whole = lines.filter(line => line.startsWith('{"id":"') && line.endsWith('}'))
      expect(lines.length - whole.length).toBeLessThanOrEqual(children.length)
    } finally {
      for (const child of children) child.kill('SIGKILL')
      rmSync(folder, { recursive: true, force: true })
    }
  })
})
