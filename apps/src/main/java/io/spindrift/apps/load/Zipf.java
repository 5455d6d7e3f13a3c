package io.spindrift.apps.load;

/// Numbers `0..count-1`, number k with a probability proportional to `(k + 1)^-theta`. One thread; allocates nothing.
///
/// By rejection-inversion (W. Hörmann, G. Derflinger: Rejection-inversion to generate variates from monotone discrete
/// distributions, ACM TOMACS 6(3), 1996): exact for every theta above 0, without a sum over all numbers at the start.
final class Zipf {
    private final XorShift random;
    private final long count;
    private final double theta;
    private final double upper;
    private final double width;
    private final double acceptance;

    Zipf(long count, double theta, XorShift random) {
        this.count = count;
        this.theta = theta;
        this.random = random;
        this.upper = integral(count + 0.5);
        this.width = integral(1.5) - 1 - upper;
        this.acceptance = 2 - inverseIntegral(integral(2.5) - density(2));
    }

    long next() {
        while (true) {
            double u = upper + random.fraction() * width;
            double x = inverseIntegral(u);
            long k = Math.clamp(Math.round(x), 1, count);
            if (k - x <= acceptance || u >= integral(k + 0.5) - density(k)) {
                return k - 1;
            }
        }
    }

    private double density(double x) {
        return Math.exp(-theta * Math.log(x));
    }

    /// The integral of the density from 1 to `x`.
    private double integral(double x) {
        double log = Math.log(x);
        return expm1Ratio((1 - theta) * log) * log;
    }

    private double inverseIntegral(double y) {
        double t = Math.max(-1, y * (1 - theta)); // below -1 only by rounding
        return Math.exp(log1pRatio(t) * y);
    }

    /// `(e^x - 1) / x`, 1 at 0.
    private static double expm1Ratio(double x) {
        return Math.abs(x) > 1e-8 ? Math.expm1(x) / x : 1 + x / 2;
    }

    /// `ln(1 + x) / x`, 1 at 0.
    private static double log1pRatio(double x) {
        return Math.abs(x) > 1e-8 ? Math.log1p(x) / x : 1 - x / 2;
    }
}
