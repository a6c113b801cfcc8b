import { expect, it } from 'vitest'
import { checkKnowledge } from '../../../src/cli/checks/checks.ts'
import { noKnowledge } from '../../../src/domain/knowledge.ts'

const at = { file: 'knowledge/shop.md', line: 7 }

const rule = { text: 'Never.', at }

it('counts knowledge, says that there is none, or lists what is wrong', () => {
  expect(checkKnowledge({}, { knowledgeProblems: [] }).status).toBe('not-set')
  expect(
    checkKnowledge({ knowledge: { ...noKnowledge, rules: [rule] } }, { knowledgeProblems: [] }),
  ).toMatchObject({ status: 'ok', finding: '0 terms, 1 rule, 0 descriptions' })
  const problems = [1, 2, 3, 4, 5].map(line => ({ at: { ...at, line }, message: 'there is no table x' }))
  expect(checkKnowledge({}, { knowledgeProblems: problems })).toMatchObject({
    status: 'broken',
    finding: [1, 2, 3]
      .map(line => `knowledge/shop.md:${line}: there is no table x`)
      .concat('and 2 more')
      .join('\n'),
  })
})
