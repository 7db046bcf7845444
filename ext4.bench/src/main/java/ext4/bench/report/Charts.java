// SPDX-License-Identifier: Apache-2.0
package ext4.bench.report;

import ext4.bench.load.LiveLoad;
import ext4.bench.load.LiveLoad.Course;
import ext4.bench.measure.Sample;
import ext4.bench.measure.Samples;
import ext4.bench.subject.Label;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.function.ToDoubleFunction;
import org.knowm.xchart.CategoryChart;
import org.knowm.xchart.CategoryChartBuilder;
import org.knowm.xchart.VectorGraphicsEncoder;
import org.knowm.xchart.VectorGraphicsEncoder.VectorGraphicsFormat;
import org.knowm.xchart.XYChart;
import org.knowm.xchart.XYChartBuilder;
import org.knowm.xchart.internal.chartpart.Chart;
import org.knowm.xchart.style.Styler.LegendPosition;
import org.knowm.xchart.style.markers.SeriesMarkers;

/** Charts as SVG files in a folder. */
public final class Charts {
    private static final int WIDTH = 900;
    private static final int HEIGHT = 550;

    private final Path folder;
    private final List<Path> written = new ArrayList<>();

    /** @param folder an existing one */
    public Charts(Path folder) {
        this.folder = folder;
        System.setProperty("java.awt.headless", "true");
    }

    /** Files written so far. */
    public List<Path> written() {
        return List.copyOf(written);
    }

    /** Throughput by tasks, a line a subject. */
    public void throughput(String name, String title, Samples samples, String phase, List<Label> labels)
            throws IOException {
        XYChart chart = new XYChartBuilder()
                .width(WIDTH)
                .height(HEIGHT)
                .title(title)
                .xAxisTitle("tasks")
                .yAxisTitle("per ms, median")
                .build();
        chart.getStyler().setLegendPosition(LegendPosition.OutsideE);
        chart.getStyler().setYAxisMin(0.0);
        for (Label label : labels) {
            List<Integer> x = new ArrayList<>();
            List<Double> y = new ArrayList<>();
            for (int tasks : samples.taskCounts()) {
                samples.spread(label, phase, tasks, Sample::perMilli).ifPresent(spread -> {
                    x.add(tasks);
                    y.add(spread.median());
                });
            }
            chart.addSeries(label.toString(), x, y);
        }
        write(chart, name);
    }

    /** When the first and the last remover ended and when everything was free, a group of bars a subject. */
    public void removers(String name, String title, Samples samples, int tasks, List<Label> labels) throws IOException {
        CategoryChart chart = new CategoryChartBuilder()
                .width(WIDTH)
                .height(HEIGHT)
                .title(title)
                .xAxisTitle("")
                .yAxisTitle("seconds, median")
                .build();
        chart.getStyler().setXAxisLabelRotation(30).setLegendPosition(LegendPosition.OutsideE);
        List<String> names = labels.stream().map(Label::toString).toList();
        chart.addSeries(
                "first rm",
                names,
                seconds(samples, tasks, labels, s -> s.outcome().first()));
        chart.addSeries(
                "last rm",
                names,
                seconds(samples, tasks, labels, s -> s.outcome().last()));
        chart.addSeries(
                "all free",
                names,
                seconds(samples, tasks, labels, s -> s.outcome().nanos()));
        write(chart, name);
    }

    /** Throughput over time, with an upright line at each switch. */
    public void live(String name, String title, Course course) throws IOException {
        XYChart chart = new XYChartBuilder()
                .width(WIDTH)
                .height(HEIGHT)
                .title(title)
                .xAxisTitle("seconds")
                .yAxisTitle("calls per ms")
                .build();
        chart.getStyler().setLegendPosition(LegendPosition.OutsideS);
        chart.getStyler().setYAxisMin(0.0);
        double[] x = new double[course.calls().length];
        double[] y = new double[x.length];
        for (int i = 0; i < x.length; i++) {
            x[i] = (i + 0.5) * LiveLoad.BUCKET_MILLIS / 1e3;
            y[i] = (double) course.calls()[i] / LiveLoad.BUCKET_MILLIS;
        }
        chart.addSeries("creates and unlinks", x, y).setMarker(SeriesMarkers.NONE);
        double top = Arrays.stream(y).max().orElse(1);
        for (LiveLoad.Switch s : course.switches()) {
            double at = s.atMillis() / 1e3;
            String label = String.format(Locale.ROOT, "at %.2f s: %s", at, s.report());
            chart.addSeries(label, new double[] {at, at}, new double[] {0, top}).setMarker(SeriesMarkers.NONE);
        }
        write(chart, name);
    }

    private static List<Double> seconds(
            Samples samples, int tasks, List<Label> labels, ToDoubleFunction<Sample> nanos) {
        return labels.stream()
                .map(label -> samples.spread(label, "remove", tasks, nanos)
                        .map(spread -> spread.median() / 1e9)
                        .orElse(0.0))
                .toList();
    }

    void write(Chart<?, ?> chart, String name) throws IOException {
        Path file = folder.resolve(name + ".svg");
        VectorGraphicsEncoder.saveVectorGraphic(chart, file.toString(), VectorGraphicsFormat.SVG);
        describe(file, chart);
        written.add(file);
    }

    /** Letters are drawn as shapes; this says in words what is shown, for those who search or do not see. */
    private static void describe(Path file, Chart<?, ?> chart) throws IOException {
        String svg = Files.readString(file);
        int inside = svg.indexOf('>', svg.indexOf("<svg")) + 1;
        String words = "<title>" + escaped(chart.getTitle()) + "</title><desc>"
                + escaped(String.join("; ", chart.getSeriesMap().keySet())) + "</desc>";
        Files.writeString(file, svg.substring(0, inside) + words + svg.substring(inside));
    }

    private static String escaped(String text) {
        return text.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;");
    }
}
