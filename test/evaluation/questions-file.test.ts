import { existsSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { QuerentError } from '../../src/domain/errors.ts'
import { parseQuestions, readQuestionsFile, selectUsable } from '../../src/evaluation/questions-file.ts'

const line = (fields: Record<string, unknown>) =>
  JSON.stringify({ id: 'a', db_id: 'shop', question: 'How many?', gold: 'select 1', ...fields })

const messageOf = (text: string): string => {
  try {
    parseQuestions(text, 'q.jsonl')
  } catch (error) {
    expect(error).toBeInstanceOf(QuerentError)
    expect((error as QuerentError).code).toBe('bad-arguments')
    return (error as QuerentError).message
  }
  return ''
}

describe('parseQuestions', () => {
  it('fills in what may be left out', () => {
    expect(parseQuestions(line({}), 'q')).toEqual([
      {
        id: 'a',
        db_id: 'shop',
        question: 'How many?',
        gold: 'select 1',
        dialect: null,
        excluded: null,
        alternatives: [],
        after: [],
        answerable: true,
        evidence: '',
        knowledge: '',
        match: 'exact',
        kind: '',
        difficulty: null,
      },
    ])
  })

  it('reads what BIRD and Spider publish, as the JSON list that it is', () => {
    const bird = { question_id: 3, db_id: 'shop', question: 'A?', SQL: 'select 1', difficulty: 'moderate' }
    const spider = { db_id: 'shop', question: 'B?', query: 'select 2', hardness: 'extra', gold: undefined }
    const lines = parseQuestions(`\uFEFF [${JSON.stringify(bird)},\n${JSON.stringify(spider)}]`, 'q')
    expect(lines.map(({ id, gold, difficulty }) => ({ id, gold, difficulty }))).toEqual([
      { id: '3', gold: 'select 1', difficulty: 'moderate' },
      { id: '1', gold: 'select 2', difficulty: 'extra' },
    ])
    expect(parseQuestions(line({ SQL: 'select 9', question_id: 'b' }), 'q')[0]).toMatchObject({
      id: 'a',
      gold: 'select 1',
    })
    expect(messageOf('[{"id": 1},')).toContain('line 1: not JSON')
    expect(messageOf('[7, {"id": 1}]')).toMatch(/line 1: [\s\S]*line 2: /)
  })

  it('reads every field, numbers as ids, and skips blank lines, a BOM and unknown fields', () => {
    const full = {
      id: 7,
      dialect: 'sqlite',
      excluded: 'wrong gold',
      alternatives: ['select 2'],
      after: ['how many are there?'],
      answerable: false,
      evidence: 'e',
      knowledge: 'k',
      kind: 'count',
      difficulty: 'simple',
    }
    const lines = parseQuestions(`\uFEFF${line(full)}\r\n\n  \n${line({ id: 'b' })}\n`, 'q')
    const { difficulty: _, ...kept } = full
    expect(lines[0]).toMatchObject({ ...kept, id: '7' })
    expect(lines.map(({ id }) => id)).toEqual(['7', 'b'])
  })

  it('a question that cannot be answered needs no gold; nor does one that is left out', () => {
    const lines = parseQuestions(
      [line({ gold: null, answerable: false }), line({ id: 'b', gold: null, excluded: 'no gold' })].join(
        '\n',
      ),
      'q',
    )
    expect(lines.map(({ gold }) => gold)).toEqual([null, null])
  })

  it('names every bad line by its number', () => {
    const text = [
      line({}),
      '{',
      line({ id: 'b', gold: null }),
      line({ id: 'c', question: 5 }),
      '',
      line({}),
    ].join('\n')
    const message = messageOf(text)
    expect(message).toMatch(/^Correct these lines of q\.jsonl/)
    expect(message).toMatch(/line 2: not JSON/)
    expect(message).toMatch(/line 3: gold: missing/)
    expect(message).toMatch(/line 4: question: /)
    expect(message).toMatch(/line 6: the id “a” is already on line 1/)
    expect(message.split('\n')).toHaveLength(5)
  })

  it('counts the rest when there are many', () => {
    expect(messageOf(Array(30).fill('x').join('\n'))).toMatch(/line 20: not JSON\n {2}and 10 more$/)
  })
})

describe('selectUsable', () => {
  const lines = parseQuestions(
    [line({ excluded: 'x' }), line({ id: 'b' }), line({ id: 'c' }), line({ id: 'd' })].join('\n'),
    'q',
  )

  it('leaves out what is excluded, and takes the first of the rest', () => {
    expect(selectUsable(lines).map(({ id }) => id)).toEqual(['b', 'c', 'd'])
    expect(selectUsable(lines, 2).map(({ id }) => id)).toEqual(['b', 'c'])
  })
})

describe('readQuestionsFile', () => {
  it('says which file it could not read', async () => {
    await expect(readQuestionsFile('/nowhere/q.jsonl')).rejects.toMatchObject({
      code: 'bad-arguments',
      message: expect.stringContaining('/nowhere/q.jsonl'),
    })
  })

  const data = join(import.meta.dirname, '../../../shared/data')
  it.skipIf(!existsSync(data))('reads every set of the evaluation data', async () => {
    const folders = ['spider/questions', 'defog/questions'].map(folder => join(data, folder))
    const files = folders.flatMap(folder => readdirSync(folder).map(name => join(folder, name)))
    const usable: Record<string, number> = {}
    for (const file of files) {
      usable[file.split('/').at(-1) ?? ''] = selectUsable(await readQuestionsFile(file)).length
    }
    expect(usable).toMatchObject({
      'spider_dev.jsonl': 372,
      'spider_dev_pg.jsonl': 340,
      'spider_train.jsonl': 6627,
      'idk.jsonl': 60,
    })
  })
})
