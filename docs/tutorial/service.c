/* A small service to be limited: threads that serve requests which come by chance, in batches, each of some CPU time.
 *
 * It leaves out the network: a request is a time of arrival and an amount of work.
 *
 *   cc -O2 -pthread -o service service.c -lm
 *   ./service THREADS REQUESTS_PER_S BATCH CPU_MS SECONDS SEED
 */
#define _GNU_SOURCE
#include <math.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

#define MOST_REQUESTS (1 << 20)
#define MOST_THREADS 64

struct request {
    double arrived, work;
};

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t come = PTHREAD_COND_INITIALIZER;
static struct request requests[MOST_REQUESTS];
static double latencies[MOST_REQUESTS];
static int taken, arrived, served, closed;

static double now(clockid_t clock) {
    struct timespec t;
    clock_gettime(clock, &t);
    return t.tv_sec + t.tv_nsec * 1e-9;
}

/* One thread: take a request, use its CPU time, note how long it took. */
static void *serve(void *nothing) {
    (void)nothing;
    for (;;) {
        pthread_mutex_lock(&lock);
        while (taken == arrived && !closed) pthread_cond_wait(&come, &lock);
        if (taken == arrived) {
            pthread_mutex_unlock(&lock);
            return NULL;
        }
        struct request one = requests[taken++];
        pthread_mutex_unlock(&lock);
        double until = now(CLOCK_THREAD_CPUTIME_ID) + one.work;
        while (now(CLOCK_THREAD_CPUTIME_ID) < until)
            for (volatile int i = 0; i < 200; i++) {}
        double end = now(CLOCK_MONOTONIC);
        pthread_mutex_lock(&lock);
        latencies[served++] = end - one.arrived;
        pthread_mutex_unlock(&lock);
    }
}

static double exponential(double mean) { return -log(1 - drand48()) * mean; }

static int shorter(const void *a, const void *b) {
    double x = *(const double *)a, y = *(const double *)b;
    return x < y ? -1 : x > y;
}

int main(int count, char **words) {
    if (count != 7 || atoi(words[1]) < 1 || atoi(words[1]) > MOST_THREADS) {
        fprintf(stderr, "service THREADS REQUESTS_PER_S BATCH CPU_MS SECONDS SEED\n");
        return 2;
    }
    int threads = atoi(words[1]);
    double rate = atof(words[2]), batch = atof(words[3]), work = atof(words[4]) / 1e3, seconds = atof(words[5]);
    srand48(atoi(words[6]));
    pthread_t running[MOST_THREADS];
    for (int i = 0; i < threads; i++) pthread_create(&running[i], NULL, serve, NULL);
    double start = now(CLOCK_MONOTONIC), at = start;
    while (at < start + seconds) {
        at += exponential(batch / rate);
        struct timespec wake = {(time_t)at, (long)((at - (time_t)at) * 1e9)};
        while (clock_nanosleep(CLOCK_MONOTONIC, TIMER_ABSTIME, &wake, NULL)) {}
        /* Geometric: one at least, and so many on average. */
        int size = batch > 1 ? 1 + (int)(log(1 - drand48()) / log(1 - 1 / batch)) : 1;
        pthread_mutex_lock(&lock);
        for (; size > 0 && arrived < MOST_REQUESTS; size--) requests[arrived++] = (struct request){at, exponential(work)};
        pthread_cond_broadcast(&come);
        pthread_mutex_unlock(&lock);
    }
    pthread_mutex_lock(&lock);
    closed = 1;
    pthread_cond_broadcast(&come);
    pthread_mutex_unlock(&lock);
    for (int i = 0; i < threads; i++) pthread_join(running[i], NULL);
    qsort(latencies, served, sizeof *latencies, shorter);
    printf("%d requests", served);
    for (int i = 0; i < 4; i++) {
        int share = (int[]){50, 90, 95, 99}[i];
        printf("%s %d %% %.0f ms", i ? "," : ":", share, 1e3 * latencies[(int)(share / 100.0 * served)]);
    }
    printf("\n");
    return 0;
}
