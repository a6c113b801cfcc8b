import { appendFileSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, it, onTestFinished } from 'vitest'
import { openOutFile, readOutFile } from '../../src/evaluation/out-file.ts'
import { makeEvaluated } from './make-evaluated.ts'

const makePath = () => {
  const folder = mkdtempSync(join(tmpdir(), 'querent-out-'))
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
  return join(folder, 'out.jsonl')
}
const first = makeEvaluated({ id: 'a' })
const second = makeEvaluated({ id: 'b', ex: false, confidence: null, error: 'line\nbreak' })

describe('openOutFile', () => {
  it('begins with nothing, and finds later what it kept', async () => {
    const path = makePath()
    const file = await openOutFile(path, 'model=none')
    expect(file.done).toEqual([])
    await file.append(first)
    await file.append(second)
    expect((await openOutFile(path, 'model=none')).done).toEqual([first, second])
    expect(await readOutFile(path)).toEqual([first, second])
  })

  it('writes one line a question, the asked-for fields first', async () => {
    const path = makePath()
    const file = await openOutFile(path, 'r')
    await file.append(first)
    const lines = readFileSync(path, 'utf8').trimEnd().split('\n')
    expect(lines).toHaveLength(1)
    expect(Object.keys(JSON.parse(lines[0]!) as object).slice(0, 7)).toEqual([
      'id',
      'sql',
      'ex',
      'oracle',
      'outcome',
      'confidence',
      'milliseconds',
    ])
  })

  it('drops a last line that was cut off, and writes on after it', async () => {
    const path = makePath()
    const file = await openOutFile(path, 'r')
    await file.append(first)
    appendFileSync(path, JSON.stringify({ ...second, sql: 'sélect' }).slice(0, 30))
    const again = await openOutFile(path, 'r')
    expect(again.done).toEqual([first])
    await again.append(second)
    expect(await readOutFile(path)).toEqual([first, second])
  })

  it('refuses the results of another run', async () => {
    const path = makePath()
    await (await openOutFile(path, 'model=a')).append(first)
    await expect(openOutFile(path, 'model=b')).rejects.toMatchObject({
      code: 'bad-arguments',
      message: expect.stringMatching(/another run \(model=a, not model=b\).*--out/),
    })
  })

  it('names a line that is no result', async () => {
    const path = makePath()
    writeFileSync(path, `${JSON.stringify(first)}\n{"id": 5}\n`)
    await expect(readOutFile(path)).rejects.toMatchObject({
      code: 'bad-arguments',
      message: expect.stringContaining('line 2'),
    })
  })

  it('says which file it could not read', async () => {
    await expect(readOutFile('/nowhere/a.jsonl')).rejects.toMatchObject({ code: 'bad-arguments' })
  })
})
