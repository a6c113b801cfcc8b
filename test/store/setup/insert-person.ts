import type { Client } from 'pg'

/** A person who asked, voted, decided and was mentioned; another whose id begins the same; and one beside them. */
export const person = 'U0FORGET1'
export const longerId = 'U0FORGET12'
export const other = 'U0OTHER99'

export const questionOf = {
  person: '00000000-0000-4000-8000-000000000001',
  other: '00000000-0000-4000-8000-000000000002',
}

/** Puts the person wherever an id can stand: in rows of their own, and in those of somebody else. */
export const insertPerson = async (client: Client): Promise<void> => {
  const doc = JSON.stringify({ text: `said <@${person}>, not <@${longerId}>`, by: person })
  for (const [asker, id] of [
    [person, questionOf.person],
    [other, questionOf.other],
  ]) {
    const texts = `'about <@${person}>'`
    const run = id?.replace('0000-4000', '0000-4001')
    await client.query(`
      insert into querent.questions (id, key, text, database, status, asked_by, stopped_by, run_by, time_zone, asked_at, place)
        values ('${id}', '${id}', ${texts}, 'shop', 'answered', '${asker}', '${person}', '${person}', 'UTC', now(),
          '{"team":"T1","channel":"C1","thread":"1.0","message":"1.0"}');
      insert into querent.runs (id, question_id, status, outcome, finished_at)
        values ('${run}', '${id}', 'finished', '${doc}', now());
      insert into querent.briefs values ('${id}', '${doc}');
      insert into querent.candidates (question_id, id, path, lineage, rank, sql, prior, decisions, assumptions, unused, repairs, run, meaning, named)
        values ('${id}', 'c1', 'p', 'l', 0, ${texts}, 1, '${doc}', '${doc}', '${doc}', '${doc}', '${doc}', '${doc}', '${doc}');
      insert into querent.answers (question_id, run_id, candidate_id, result_id, sql, confidence, headline, assumptions, alternatives)
        values ('${id}', '${run}', 'c1', 'r1', ${texts}, 1, ${texts}, '${doc}', '${doc}');
      insert into querent.clarifications values ('${id}', ${texts}, '${doc}', 1);
      insert into querent.replies values ('${id}', '{"kind":"text","text":"words of <@${person}>"}', '${person}');
      insert into querent.outbound_messages values ('${id}', 'answer', 'C1', '${doc}', null, now(), null);
      insert into querent.votes (question_id, person, vote, run_id, candidate_id)
        values ('${id}', '${person}', 'up', '${run}', 'c1'), ('${id}', '${other}', 'down', '${run}', 'c1');
      insert into querent.feedback (question_id, person, kind, answer_key, group_key, reason, note, given_at)
        values ('${id}', '${person}', 'reason', 'a', 'g', 'other', 'mine', now()),
          ('${id}', '${other}', 'reason', 'a', 'g', 'other', ${texts}, now());
      insert into querent.feedback (question_id, person, kind, answer_key, group_key, sql, given_at)
        values ('${id}', '${other}', 'sql', 'a', 'g', ${texts}, now());
      insert into querent.feedback_reviews values ('${id}', '${person}', 'accepted', null, now()),
        ('${id}', '${other}', 'dropped', '${person}', now());
      insert into querent.answer_revisions (question_id, request, kind, person, sql, result_id, headline, assumptions, made_at)
        values ('${id}', 'form-${person}', 'edited', '${person}', ${texts}, 'r1', ${texts}, '${doc}', now());
      insert into querent.human_requests
        values ('${id}', 'C9', ${texts}, 'r1', ${texts}, '${person}', now(), 'rejected', '${person}', now(), 'I am <@${person}>');
      insert into querent.result_charts values ('r-${id}', '${id}', 'F1', ${texts});
      insert into querent.traces values ('${id}', '${doc}', now(), now() + interval '1 day');
      insert into querent.selection_snapshots (question_id, version, groups) values ('${id}', 'v1', '[]');
      insert into querent.expert_rounds (question_id, groups, answers) values ('${id}', '[]', '[]');
      insert into querent.digests values ('${id}', 'T1', '${asker}', ${texts}, '${doc}', '0 9 * * *', 'UTC', 'daily', '{}',
        '{"kind":"channel","channel":"C1"}', '{"why":"by-person","by":"${person}"}', null, 0, '${doc}', now(), 'r-${id}-${person}');
      insert into querent.digest_runs values ('${id}', now(), 'by-hand', 0, 'click-${person}', now(), null, null, '[{"text": "orders of ${person}"}]', '${person}');
      insert into querent.digest_wishes values ('${id}', '${asker}', '{"schedule":"daily","timeZone":null,"target":{"kind":"person","person":"${person}"}}', now());
      insert into querent.remarks values ('${id}', 'T1', 'C1', '1.0', '${asker}', ${texts}, now());
      insert into querent.model_usage values ('2026-03-02', '${asker}', 'big', 'drafter', 2, 100, 10, 0.5);
      insert into querent.budget_usage (day, scope, name, rows) values ('2026-03-02', 'person', '${asker}', 5);
      insert into querent.reading_reservations values ('${id}', '2026-03-02', '${asker}', 'C1', '${id}', 5, 100, now());
      insert into querent.audit_log (id, at, origin, person, channel, database, dialect, kind, sql, verdict, reason)
        values ('${id}', now(), 'question', '${asker}', 'D${asker?.slice(1)}', 'shop', 'postgres', 'run', ${texts}, 'ran', ${texts});
    `)
  }
  await client.query(`
    insert into querent.model_usage values ('2026-03-02', '', 'big', 'drafter', 1, 7, 1, 0.25);
    insert into querent.verified_queries (id, database, question, masked_question, sql, slots, fingerprint, status, saved_by,
        saved_at, decided_by, decided_at, last_run, stale_reasons, stale_since)
      values ('${questionOf.person}', 'shop', 'of <@${person}>', 'of <@${person}>', 'select ''${person}''', '${doc}', 'f', 'stale', '${person}',
        now(), '${person}', now(), '${doc}', '${doc}', now());
    insert into querent.verified_notices values ('${questionOf.person}', now(), 'D0FORGET1', null, now(), null);
    insert into querent.proposed_rules values ('${questionOf.person}', 'shop', '${questionOf.person}', 'of <@${person}>',
      'by ${person}', 'means ${person}', 'select ''${person}''', '[]', 'accepted', '${person}', now(), '${person}', now());
    insert into querent.layer_decisions (id, database, kind, name, status, definition, tables, decided_by, decided_at)
      values ('${questionOf.person}', 'shop', 'metric', 'revenue', 'accepted', 'also ${person}', '{}', '${person}', now());
    insert into querent.selector_versions values ('v1', 'champion', '{}', '{}', now(), '${person}', now());
    insert into querent.digests values ('00000000-0000-4000-8000-000000000003', 'T1', '${other}', 'for one', '[]', '0 9 * * *',
      'UTC', 'daily', '{}', '{"kind":"person","person":"${person}"}', null, now(), 0, null, now(), 'r3');
    insert into querent.expert_weights (expert, weight, mistakes, rounds) values ('parser', 0.5, 1, 2);
    insert into querent.voter_weights values ('${person}', 0.5, now()), ('${other}', 0.5, now());
    insert into querent.expert_mistakes (expert, mistakes) values ('big/plain', 1);
  `)
}
