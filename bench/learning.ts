import { scoreText } from '../server/src/features/memory/index/rank.ts';
import { WIDTH } from '../server/src/features/memory/index/signals.ts';
import type { DataSet, Family } from './conversations.ts';
import { indexOf, measureRanking } from './memory-ranking.ts';
import type { Measured } from './memory-recall.ts';

/** A question with its candidates' signals. */
interface Sample {
  /** `WIDTH` numbers for each candidate. */
  values: Float32Array;
  /** The places of its evidence among the candidates; any of those listed together will do. */
  evidence: number[][];
}

/** How many candidates of each question are used beside the evidence: those that equal weights rank highest, and some of the others. */
const HARD = 100;
const EVERY = 25;
const STEPS = 120;
const RATE = 0.2;
/** Weights start equal, and each question's worth of evidence has to pull them away: few questions teach little. */
const START = 1;
const PULL = 0.02;

/**
 * Weights that make the evidence likely: a softmax over a question's candidates, in which each piece of evidence counts the same and is as
 * likely as all that will do for it together, maximised with Adam. Each family of sets counts the same, whatever its size, and so does each
 * set in it. Deterministic, never below 0.
 */
function learn(taught: Sample[][][]): Float64Array {
  const families = taught.map((sets) => sets.filter((set) => set.length > 0)).filter((sets) => sets.length > 0);
  const weights = new Float64Array(WIDTH).fill(START);
  const samples = families.flatMap((sets) =>
    sets.flatMap((set) =>
      set.map((sample) => ({
        ...thin(sample, weights),
        share: 1 / set.length / sets.length / families.length,
      })),
    ),
  );
  const mean = new Float64Array(WIDTH);
  const spread = new Float64Array(WIDTH);
  for (let step = 1; step <= STEPS; step += 1) {
    const slope = weights.map((weight) => PULL * (weight - START));
    for (const sample of samples) addSlope(slope, sample, weights);
    const rate = RATE * (1 - (0.9 * step) / STEPS);
    for (let s = 0; s < WIDTH; s += 1) {
      const by = slope[s] ?? 0;
      mean[s] = 0.9 * (mean[s] ?? 0) + 0.1 * by;
      spread[s] = 0.99 * (spread[s] ?? 0) + 0.01 * by * by;
      const sure = (mean[s] ?? 0) / (1 - 0.9 ** step);
      const next = (weights[s] ?? 0) - (rate * sure) / (Math.sqrt((spread[s] ?? 0) / (1 - 0.99 ** step)) + 1e-8);
      weights[s] = Math.max(0, next);
    }
  }
  return weights;
}

/** The sample with its evidence and some of its other candidates. */
function thin(sample: Sample, weights: Float64Array): Sample {
  const order = Array.from(scoresOf(sample, weights), (score, place) => ({ score, place }));
  order.sort((a, b) => b.score - a.score || a.place - b.place);
  const kept = new Set(sample.evidence.flat());
  for (const [rank, { place }] of order.entries()) if (rank < HARD || rank % EVERY === 0) kept.add(place);
  const places = [...kept].sort((a, b) => a - b);
  const values = new Float32Array(places.length * WIDTH);
  for (const [to, from] of places.entries()) {
    values.set(sample.values.subarray(from * WIDTH, (from + 1) * WIDTH), to * WIDTH);
  }
  return { values, evidence: sample.evidence.map((any) => any.map((place) => places.indexOf(place))) };
}

function scoresOf({ values }: Sample, weights: Float64Array): Float64Array {
  const scores = new Float64Array(values.length / WIDTH);
  for (let place = 0, at = 0; place < scores.length; place += 1) {
    let sum = 0;
    for (let s = 0; s < WIDTH; s += 1, at += 1) sum += (weights[s] ?? 0) * (values[at] ?? 0);
    scores[place] = sum;
  }
  return scores;
}

/** Adds one question's gradient: how far the likelihood of each candidate is from what it is when only the evidence is left. */
function addSlope(slope: Float64Array, sample: Sample & { share: number }, weights: Float64Array): void {
  const scores = scoresOf(sample, weights);
  const best = scores.reduce((most, score) => Math.max(most, score), -Infinity);
  const likely = scores.map((score) => Math.exp(score - best));
  const whole = likely.reduce((sum, one) => sum + one, 0);
  const wrong = likely.map((one) => (one / whole) * sample.share);
  for (const any of sample.evidence) {
    const told = any.reduce((sum, place) => sum + (likely[place] ?? 0), 0);
    const share = sample.share / sample.evidence.length / Math.max(1e-30, told);
    for (const place of any) wrong[place] = (wrong[place] ?? 0) - share * (likely[place] ?? 0);
  }
  for (let place = 0, at = 0; place < wrong.length; place += 1) {
    const by = wrong[place] ?? 0;
    for (let s = 0; s < WIDTH; s += 1, at += 1) slope[s] = (slope[s] ?? 0) + by * (sample.values[at] ?? 0);
  }
}

/** Every question of a set with the signals of its candidates, where any of them is evidence. */
const samplesOf = ({ conversations }: DataSet): Sample[] =>
  conversations.flatMap((conversation) => {
    const { index, parts } = indexOf(conversation);
    return conversation.questions.flatMap((question) => {
      const signals = scoreText(index, question.text);
      if (signals === undefined) return [];
      const { candidates, chosen } = signals.gathered.sums;
      const told = Array.from(candidates.subarray(0, chosen), (row) => parts[row]?.id ?? '');
      const evidence = question.evidence
        .map((any) => told.flatMap((id, place) => (any.includes(id) ? [place] : [])))
        .filter((places) => places.length > 0);
      return evidence.length === 0 ? [] : [{ values: signals.values.slice(0, chosen * WIDTH), evidence }];
    });
  });

export const learnFrom = (families: Family[]) => learn(families.map((sets) => sets.map(samplesOf)));

/** Each set measured with weights learned without its whole family; the judges teach nothing. */
export function leaveOneSetOut(families: Family[], judges: Family[]): { name: string; measured: Measured[] }[] {
  const samples = new Map(families.map((family) => [family, family.map(samplesOf)]));
  return [...families, ...judges].flatMap((left) => {
    const weights = learn(families.filter((family) => family !== left).map((family) => samples.get(family) ?? []));
    return left.map((set) => ({ name: set.name, measured: measureRanking(set, { weights }) }));
  });
}
