import { WIDTH } from '../server/src/features/memory/index/signals.ts';
import type { Sample } from './memory-signals.ts';

/** How many turns of each question are used: those that a first rough vector of weights ranks highest. */
const HARD = 100;
const ROUGH = { steps: 60, every: 5 };
const FINE = { steps: 160 };
const RATE = 0.3;
/** Pulls weights towards 0, so that few questions teach little. */
const DECAY = 1e-3;

/**
 * Weights that make the evidence likely: a softmax over a question's turns, its cross-entropy against the evidence in equal shares,
 * minimised with Adam. Deterministic. `without` lists signals, by number, that stay 0.
 */
export function learn(samples: Sample[], without: ReadonlySet<number> = new Set()): Float64Array {
  const asked = samples.filter(({ evidence }) => evidence.length > 0);
  const rough = descend(
    asked.map((sample) => thin(sample, (place) => place % ROUGH.every === 0)),
    ROUGH.steps,
    without,
  );
  const hard = asked.map((sample) => {
    const order = Array.from(scoresOf(sample, rough), (score, place) => ({ score, place }));
    order.sort((a, b) => b.score - a.score || a.place - b.place);
    const high = new Set(order.slice(0, HARD).map(({ place }) => place));
    return thin(sample, (place) => high.has(place));
  });
  return descend(hard, FINE.steps, without);
}

/** The sample with its evidence and the kept ones of its other turns. */
function thin(sample: Sample, keep: (place: number) => boolean): Sample {
  const told = new Set(sample.evidence);
  const places = Array.from({ length: sample.values.length / WIDTH }, (_, place) => place).filter(
    (place) => told.has(place) || keep(place),
  );
  const values = new Float32Array(places.length * WIDTH);
  for (const [to, from] of places.entries()) {
    values.set(sample.values.subarray(from * WIDTH, (from + 1) * WIDTH), to * WIDTH);
  }
  return { ...sample, values, evidence: sample.evidence.map((place) => places.indexOf(place)) };
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

function descend(samples: Sample[], steps: number, without: ReadonlySet<number>): Float64Array {
  const weights = new Float64Array(WIDTH);
  const mean = new Float64Array(WIDTH);
  const spread = new Float64Array(WIDTH);
  for (let step = 1; step <= steps; step += 1) {
    const slope = weights.map((weight) => DECAY * weight);
    for (const sample of samples) addSlope(slope, sample, weights, samples.length);
    const rate = RATE * (1 - (0.9 * step) / steps);
    for (let s = 0; s < WIDTH; s += 1) {
      if (without.has(s)) continue;
      const by = slope[s] ?? 0;
      mean[s] = 0.9 * (mean[s] ?? 0) + 0.1 * by;
      spread[s] = 0.99 * (spread[s] ?? 0) + 0.01 * by * by;
      const sure = (mean[s] ?? 0) / (1 - 0.9 ** step);
      weights[s] = (weights[s] ?? 0) - (rate * sure) / (Math.sqrt((spread[s] ?? 0) / (1 - 0.99 ** step)) + 1e-8);
    }
  }
  return weights;
}

/** Adds one question's gradient: how far the likelihood of each turn is from its share of the evidence. */
function addSlope(slope: Float64Array, sample: Sample, weights: Float64Array, samples: number): void {
  const scores = scoresOf(sample, weights);
  const best = scores.reduce((most, score) => Math.max(most, score), -Infinity);
  const likely = scores.map((score) => Math.exp(score - best));
  const whole = likely.reduce((sum, one) => sum + one, 0);
  const wrong = likely.map((one) => one / whole / samples);
  for (const place of sample.evidence) wrong[place] = (wrong[place] ?? 0) - 1 / sample.evidence.length / samples;
  for (let place = 0, at = 0; place < wrong.length; place += 1) {
    const by = wrong[place] ?? 0;
    for (let s = 0; s < WIDTH; s += 1, at += 1) slope[s] = (slope[s] ?? 0) + by * (sample.values[at] ?? 0);
  }
}
