import { expect, test } from 'vitest';
import {
  complianceStatus,
  DOWNLOAD_WINDOW_MS,
  type StoredComplianceStatus,
  UPLOAD_WINDOW_MS,
} from './compliance.js';

const CREATED = Date.UTC(2022, 9, 7);

function statusAfter(status: StoredComplianceStatus, elapsedMs: number): string {
  return complianceStatus({ status, createdAtMs: CREATED }, CREATED + elapsedMs);
}

test('a job without upload expires with the upload window, to the millisecond', () => {
  expect(statusAfter('created', UPLOAD_WINDOW_MS - 1)).toBe('created');
  expect(statusAfter('created', UPLOAD_WINDOW_MS)).toBe('expired');
});

test('a complete job expires with the download window', () => {
  expect(statusAfter('complete', DOWNLOAD_WINDOW_MS - 1)).toBe('complete');
  expect(statusAfter('complete', DOWNLOAD_WINDOW_MS)).toBe('expired');
});

test('a job at work outlives the upload window, and has failed when nothing could be fetched any more', () => {
  expect(statusAfter('in_progress', UPLOAD_WINDOW_MS)).toBe('in_progress');
  expect(statusAfter('in_progress', DOWNLOAD_WINDOW_MS)).toBe('failed');
});

test('a failed job stays failed', () => {
  expect(statusAfter('failed', 0)).toBe('failed');
  expect(statusAfter('failed', 2 * DOWNLOAD_WINDOW_MS)).toBe('failed');
});
